import { keysOf } from '../objects.ts';
import type { Logger } from '../options.ts';

/**
 * The logger that the environment variable `PETSTORE_LOG` asks for: it writes lines of that level and above to
 * standard error, because standard output may be data.
 */
export function environmentLogger(): Logger | undefined {
  const level = readVariable('PETSTORE_LOG');
  if (!level) return undefined;
  const write = (name: string) => (line: string) => console.error(`${name}: ${line}`);
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const levels = keysOf(logger);
  if (!(level in logger)) {
    logger.error(`@petstore/client: PETSTORE_LOG must be ${levels.join(', ')}, not ${level}`);
    return undefined;
  }
  for (const lower of levels) {
    if (lower === level) break;
    logger[lower] = () => {};
  }
  return logger;
}

/** Reads an environment variable, where there are any. */
export function readVariable(name: string): string | undefined {
  try {
    return globalThis.process?.env[name];
  } catch {
    // Deno refuses to read the environment without --allow-env.
    return undefined;
  }
}
