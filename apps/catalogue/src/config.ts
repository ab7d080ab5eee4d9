import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { CategoriesFile } from './categories.ts';

/** A start that cannot go on, in one line that names the variable and says what to change. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** Addresses and networks in CIDR notation, as a list that an address can be checked against. */
const Networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .transform((networks, context) => {
    const list = new BlockList();
    for (const network of networks) {
      if (!addNetwork(list, network)) {
        context.addIssue('must be addresses or networks such as 10.0.0.0/8, between commas');
      }
    }
    return list;
  });

function addNetwork(list: BlockList, network: string): boolean {
  const [address = '', prefix] = network.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (version === 0 || !Number.isInteger(length) || length < 0 || length > bits) return false;
  list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  return true;
}

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be digits')
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const requiredOr =
  (message: string) =>
  ({ input }: { input?: unknown }) =>
    input === undefined ? 'is required' : message;

/** Every environment variable of the app. An empty one counts as absent. */
const Environment = z
  .object({
    /** Address to listen on. */
    HOST: z.string().default('127.0.0.1'),
    /** Port to listen on; 0 picks a free one, which the first log line names. */
    PORT: integer(0, 65_535).default(4000),
    /** Base address of the pet store, with /v1. */
    PETSTORE_BASE_URL: z
      .url({ protocol: /^https?$/, error: requiredOr('must be an http(s) URL') })
      .regex(/\/v1\/?$/, 'must end with /v1'),
    /** API key of the catalogue. */
    PETSTORE_API_KEY: z.string().optional(),
    /** File with the API key, read again for each request: a rotated key needs no restart. */
    PETSTORE_API_KEY_FILE: z.string().optional(),
    /** How long the pet store may take for a page, further attempts included. */
    PETSTORE_TIMEOUT_MS: integer(1, 60_000).default(6_000),
    /** JSON file with the names of the categories by their numbers, read at the start. */
    CATEGORIES_FILE: CategoriesFile.default(new Map()),
    /** Request header in which the proxy names the user. */
    TRUSTED_USER_HEADER: z
      .string()
      .regex(/^[\w-]+$/, 'must be the name of a header')
      .default('X-Forwarded-User'),
    /** Addresses of the proxy: the header counts from no other. */
    TRUSTED_PROXIES: Networks.prefault('127.0.0.0/8,::1'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    /** In `development` a request without the header is that of a user named developer. */
    NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  })
  .refine(({ PETSTORE_API_KEY, PETSTORE_API_KEY_FILE }) => PETSTORE_API_KEY ?? PETSTORE_API_KEY_FILE, {
    path: ['PETSTORE_API_KEY'],
    error: 'or PETSTORE_API_KEY_FILE is required',
  });

export type Config = z.output<typeof Environment>;

/** The names of the variables. */
export const variables = Object.keys(Environment.shape);

/**
 * Reads the configuration from environment variables.
 *
 * @throws StartupError naming the first variable with a bad value, and what is allowed
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const result = Environment.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new StartupError(`${issue?.path[0]?.toString()} ${issue?.message}`);
}
