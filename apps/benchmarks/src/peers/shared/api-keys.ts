import { hash } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';

const BEARER = 'Bearer ';

/**
 * Reads the SHA-256 of the valid keys once. Our server does more: it notices revoked keys.
 *
 * @returns a function that says whether an API key is valid
 */
export function keyCheck(connection: BetterSqlite3.Database): (key: string) => boolean {
  const hashes: unknown[] = connection
    .prepare('select hash from api_keys where revoked_at is null')
    .pluck()
    .all();
  const valid = new Set(hashes);
  return (key) => valid.has(hash('sha256', key, 'base64url'));
}

/** The same for the value of an Authorization header. */
export function authorizationCheck(
  connection: BetterSqlite3.Database,
): (authorization: string | undefined) => boolean {
  const isValid = keyCheck(connection);
  return (authorization) =>
    authorization?.startsWith(BEARER) === true && isValid(authorization.slice(BEARER.length));
}
