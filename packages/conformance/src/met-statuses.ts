import { operations } from './operations.ts';
import type { Fetch } from './target.ts';

/** Notes which status of which operation a run has met. */
export function noteStatuses(fetch: Fetch) {
  const met = new Set<string>();
  const noting: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const { pathname } = new URL(url);
    const operation = operations.find(
      ({ method, pattern }) => method === init.method && pattern.test(pathname),
    );
    met.add(`${operation?.name} ${response.status}`);
    return response;
  };
  /** A table in Markdown. */
  const describe = (): string => {
    const rows = operations.map(({ name, statuses }) => {
      const [some, others] = [true, false].map((isMet) =>
        statuses.filter((status) => met.has(`${name} ${status}`) === isMet),
      );
      return `| ${name} | ${some?.join(', ')} | ${others?.join(', ')} |\n`;
    });
    return `| operation | responses met | other responses of the contract |\n| --- | --- | --- |\n${rows.join('')}`;
  };
  return { fetch: noting, describe };
}
