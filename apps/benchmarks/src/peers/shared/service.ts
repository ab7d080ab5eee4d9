import { hash } from 'node:crypto';
import BetterSqlite3 from 'better-sqlite3';

export const ADDRESS = { port: Number(process.env.PORT), host: '127.0.0.1' };
export const DATABASE_URL = process.env.DATABASE_URL ?? '';

export const errors = {
  unauthorized: { code: 'invalid_api_key', message: 'The API key is not valid', status: 401 },
  notFound: { code: 'pet_not_found', message: 'There is no pet with this id', status: 404 },
};

/** Opens a file with the settings of our server: an acknowledged pet survives a power failure. */
export function openSqlite(url: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(url.replace('sqlite:', ''));
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  return connection;
}

const digest = (credentials: string) => hash('sha256', credentials, 'base64url');
const digests = new Set((process.env.API_KEYS ?? '').split(',').map((key) => digest(`Bearer ${key}`)));

/** Looks up a digest, as our server does. @param authorization the header, as in `Bearer KEY` */
export const isAuthorized = (authorization = '') => digests.has(digest(authorization));
