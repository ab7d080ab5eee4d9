import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandError, exitCodes } from './exit-code.ts';

/** Which service to call, and with which key. */
export interface Configuration {
  baseUrl: string;
  apiKey: string;
}

const ConfigurationFile = z.strictObject({ baseUrl: z.string().optional(), apiKey: z.string().optional() });

const Environment = z.object({
  PETSTORE_BASE_URL: z.string().optional(),
  PETSTORE_API_KEY: z.string().optional(),
  XDG_CONFIG_HOME: z.string().optional(),
});

const usageError = (message: string) => new CommandError(message, exitCodes.usage);

/**
 * Reads the configuration: the option `--base-url`, then the environment, then the configuration file. There
 * is no option for the key, because every user of a machine sees the options of its processes.
 *
 * @throws CommandError when something is missing, or when the file could be read by other users
 */
export async function readConfiguration(
  options: { baseUrl?: string | undefined },
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Configuration> {
  const { PETSTORE_BASE_URL, PETSTORE_API_KEY, XDG_CONFIG_HOME } = Environment.parse(environment);
  const path = join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'petstore', 'config.json');
  const chosen = options.baseUrl || PETSTORE_BASE_URL;
  const file = chosen && PETSTORE_API_KEY ? {} : await readConfigurationFile(path);
  const baseUrl = chosen || file.baseUrl;
  if (!baseUrl) throw usageError(`No base URL: set PETSTORE_BASE_URL, --base-url, or baseUrl in ${path}`);
  // The key of the file belongs to the service of the file: another service must not get to see it.
  const isOfFile = file.baseUrl === undefined || file.baseUrl === baseUrl;
  const apiKey = PETSTORE_API_KEY || (isOfFile ? file.apiKey : undefined);
  if (!apiKey) throw usageError(`No API key for ${baseUrl}: set PETSTORE_API_KEY, or apiKey in ${path}`);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey };
}

async function readConfigurationFile(path: string): Promise<z.infer<typeof ConfigurationFile>> {
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw usageError(`The configuration cannot be read: ${error.message}`);
  });
  if (file === undefined) return {};
  const { mode } = await file.stat();
  // Windows has no such modes.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw usageError(`Other users may read the API key in ${path}: run chmod 600 ${path}`);
  }
  const parsed = ConfigurationFile.safeParse(parseJsonText(await file.readFile('utf8')));
  if (parsed.success) return parsed.data;
  throw usageError(`${path} must be a JSON object with the strings baseUrl and apiKey, and nothing else`);
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
