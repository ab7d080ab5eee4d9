import { isIP } from 'node:net';
import { z } from 'zod';
import { DatabaseUrl } from './database-url.ts';
import { ConfigError } from './operator-error.ts';
import { fileVariableOf, readSecretFiles, type Variables } from './secret-files.ts';

/** A base URL as it can stand in a header: ASCII, with special characters percent-encoded. */
const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username + password === '', 'must not carry credentials')
  .refine(({ href }) => !href.includes(','), 'must not contain a comma, at which callers split Link headers')
  .refine(({ href }) => /^[^?#]*\/v1\/?$/.test(href), 'must end with the version prefix /v1')
  .transform(({ href }) => href.replace(/\/$/, ''));

/** 16 random characters from an alphabet of 64 have 96 bits. A shorter key could be guessed. */
const MIN_KEY_LENGTH = 16;

const ApiKey = z
  .string()
  .regex(
    /^[\w.~+/-]+=*$/,
    'must be keys of letters, digits and -._~+/, separated by commas; a key may end with =',
  )
  .min(MIN_KEY_LENGTH, `must be keys of at least ${MIN_KEY_LENGTH} characters`);

/** An origin as browsers write it: no path and no wildcard, a host in lower case and ASCII, no default port. */
const Origin = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine(({ href, origin }) => href === `${origin}/` && !href.includes('*'))
  .transform(({ origin }) => origin);

const OriginOrAny = z.union([z.literal('*'), Origin], 'must be origins such as https://shop.example, or *');

const Subnet = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or subnets such as 10.0.0.0/8')
  .refine((text) => !text.endsWith('/0'), 'must not be all addresses')
  // The package proxy-addr reads ::ffff:10.0.0.1, but not ::10.0.0.1.
  .refine((text) => !/::\d+\./.test(text), 'must be hexadecimal directly after ::');

/** A list with commas between its values; empty when the variable is absent. */
const listOf = <Item>(item: z.ZodType<Item, string>) =>
  z
    .string()
    .transform((list) => list.split(',').map((text) => text.trim()))
    .pipe(z.array(item))
    .default([]);

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be digits')
    .transform(Number)
    .refine((value) => value >= min, `must be at least ${min}`)
    .refine((value) => value <= max, `must be at most ${max}`);

const oneOf = <const Texts extends readonly string[]>(...texts: Texts) =>
  z.enum(texts, `must be one of ${texts.join(', ')}`);

export const RateLimitText = z
  .string()
  .regex(/^\d+\/\d+$/, 'must be <requests>/<seconds>, such as 600/60')
  .transform((text) => {
    const [requests = 0, seconds = 0] = text.split('/').map(Number);
    return { requests, seconds };
  })
  .refine(
    ({ requests, seconds }) => requests >= 1 && requests <= 1e9 && seconds >= 1 && seconds <= 86_400,
    'must be 1 to 1000000000 requests in 1 to 86400 seconds',
  );

/** Labels of letters, digits, - and _. The last one is not a number: `10.0.0.256` is a misspelled address. */
const HOST_NAME = /^([\w-]+\.)*(?!\d+\.?$)[\w-]+\.?$/;

const Host = z
  .string()
  .refine((host) => isIP(host) !== 0 || HOST_NAME.test(host), 'must be an IP address or a host name');

/** docs/configure.md explains the variables. An empty variable counts as absent. */
const Environment = z.object({
  HOST: Host.default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  ADMIN_PORT: integer(0, 65_535).optional(),
  ADMIN_HOST: Host.default('127.0.0.1'),
  LISTEN_FDS: integer(0, 1).default(0),
  /** In production there is no default: see `readConfig`. */
  DATABASE_URL: DatabaseUrl.prefault('sqlite:data/petstore.db'),
  DATABASE_URL_FILE: z.string().optional(),
  DATABASE_POOL_SIZE: integer(1, 1_000).default(10),
  DATABASE_IDLE_TIMEOUT_MS: integer(1, 86_400_000).default(30_000),
  // Each limits one wait. The maxima allow one wait of each kind within `inactivityMs`, which ends a connection.
  DATABASE_CONNECT_TIMEOUT_MS: integer(1, 15_000).default(2_000),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(1, 15_000).default(2_000),
  API_KEYS: listOf(ApiKey),
  API_KEYS_FILE: z.string().optional(),
  CORS_ORIGINS: listOf(OriginOrAny),
  PUBLIC_BASE_URL: BaseUrl.optional(),
  STAGING_BASE_URL: BaseUrl.optional(),
  DOCS: oneOf('on', 'off').default('on'),
  TRUSTED_PROXIES: listOf(Subnet),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  LOG_FORMAT: oneOf('auto', 'json', 'text').default('auto'),
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  MAX_CONNECTIONS: integer(1, 1_000_000).default(10_000),
  /** Must exceed the time for which load balancers keep idle connections, commonly 60 seconds. */
  KEEP_ALIVE_TIMEOUT_MS: integer(1, 3_600_000).default(65_000),
  MAX_QUEUE_DELAY_MS: integer(1, 60_000).default(500),
  MAX_PENDING_CREATIONS: integer(1, 1_000_000).default(2_000),
  RATE_LIMIT: RateLimitText.optional(),
  SHUTDOWN_GRACE_MS: integer(0, 600_000).default(0),
});

export type Config = z.output<typeof Environment>;

/** Each of these can be in a file that another variable names. */
const secrets = ['DATABASE_URL', 'API_KEYS'] as const satisfies readonly (keyof Config)[];

export const variables = Object.keys(Environment.shape);

/**
 * Reads the configuration from environment variables, and secrets from the files that they name.
 * @throws ConfigError with a line for each fault: the variable, what is wrong and what is allowed
 */
export function readConfig(environment: Variables = process.env): Config {
  const { values, faults } = readSecretFiles(secrets, environment);
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const given = { ...nonEmpty, ...values };
  const { data, error } = Environment.safeParse(given);
  for (const { path, message } of error?.issues ?? []) {
    const name = String(path[0]);
    const file = fileVariableOf(name);
    const place = name in values ? `${file}: the text in ${environment[file]}` : `${name}:`;
    faults.push(`${place} ${message}`);
  }
  if (given.NODE_ENV === 'production' && !environment.DATABASE_URL && !environment.DATABASE_URL_FILE) {
    const forms = 'sqlite:<file> or postgres://<user>:<password>@<host>:<port>/<database>';
    faults.push(`DATABASE_URL: must be set where NODE_ENV is production: ${forms}`);
  }
  if (data !== undefined && faults.length === 0) return data;
  // Several faulty values of a list have the same message.
  throw new ConfigError([...new Set(faults)].join('\n'));
}
