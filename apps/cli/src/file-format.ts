import { CommandError, exitCodes } from './exit-code.ts';

export const fileFormats = ['csv', 'ndjson'] as const;

/** Finds the format by the name of a file. @throws CommandError for an unknown extension */
export function formatOf(path: string): (typeof fileFormats)[number] {
  if (/\.csv$/i.test(path)) return 'csv';
  // Files with one JSON object a line are also named .json.
  if (/\.(ndjson|jsonl?)$/i.test(path)) return 'ndjson';
  throw new CommandError(
    `The name of ${path} does not tell its format: say --format csv or ndjson`,
    exitCodes.usage,
  );
}
