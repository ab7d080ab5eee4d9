import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { CategoriesFile } from './categories.ts';

/** The maximum of PETSTORE_TIMEOUT_MS. After a signal, pages in progress may take longer: see `STOP_MS` of main.ts. */
export const MAX_TIMEOUT_MS = 15_000;

const integer = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be an integer from ${min} to ${max}`,
    )
    .transform(Number);

const Network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be addresses or networks such as 10.0.0.0/8',
);
const Networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .pipe(z.array(Network));

const KeyFile = z.string().superRefine((file, context) => {
  try {
    if (statSync(file).isFile()) readFileSync(file);
    else context.addIssue('must be a file');
  } catch (error) {
    // The message of the error has the path, which may be the key itself, set by mistake. The log must not have it.
    const code = error instanceof Error && 'code' in error ? error.code : error;
    context.addIssue(`must be a file that can be read: ${code}`);
  }
});

/** The README explains the variables. */
const Environment = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: integer(0, 65_535).default(4000),
    PETSTORE_BASE_URL: z
      .string('is required')
      .regex(/^https?:\/\/.+\/v1\/?$/, 'must be an http(s) URL that ends with /v1'),
    PETSTORE_API_KEY: z.string().optional(),
    PETSTORE_API_KEY_FILE: KeyFile.optional(),
    PETSTORE_TIMEOUT_MS: integer(1, MAX_TIMEOUT_MS).default(6_000),
    /** The variable names a file, and the property has the categories in it. */
    CATEGORIES_FILE: CategoriesFile.default(new Map()),
    TRUSTED_USER_HEADER: z
      .string()
      .regex(/^[\w-]+$/, 'must be the name of a header')
      .default('X-Forwarded-User'),
    TRUSTED_PROXIES: Networks.prefault('127.0.0.0/8,::1'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    LOG_FORMAT: z.enum(['auto', 'json', 'text']).default('auto'),
    NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  })
  .refine((given) => !given.PETSTORE_API_KEY !== !given.PETSTORE_API_KEY_FILE, {
    path: ['PETSTORE_API_KEY'],
    // `readConfig` puts the name of the variable before this text.
    error: 'or PETSTORE_API_KEY_FILE is required, and not both',
  });

export type Config = z.output<typeof Environment>;

/** Reads the API key, from a file each time: a rotated key needs no restart. @throws TypeError for an invalid key */
export function readApiKey({ PETSTORE_API_KEY = '', PETSTORE_API_KEY_FILE: file }: Config): string {
  const key = file === undefined ? PETSTORE_API_KEY : readFileSync(file, 'utf8').trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError(`${file ?? 'PETSTORE_API_KEY'} must contain one key, of visible ASCII characters`);
}

/**
 * Reads the configuration. An empty variable counts as missing.
 * @throws TypeError with the first invalid variable, and the values that are allowed
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const result = Environment.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new TypeError(`${issue?.path[0]?.toString()} ${issue?.message}`);
}
