import { hash } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';

const BEARER = 'Bearer ';

/**
 * Reads the valid keys' SHA-256 once. That is less than our server does, which notices a revocation.
 *
 * @returns a function that tells whether an API key is valid
 */
export function keyCheck(connection: BetterSqlite3.Database): (key: string) => boolean {
  const hashes: unknown[] = connection
    .prepare('select hash from api_keys where revoked_at is null')
    .pluck()
    .all();
  const valid = new Set(hashes);
  return (key) => valid.has(hash('sha256', key, 'base64url'));
}

/** The same for an Authorization header field. */
export function authorizationCheck(
  connection: BetterSqlite3.Database,
): (authorization: string | undefined) => boolean {
  const isValid = keyCheck(connection);
  return (authorization) =>
    authorization?.startsWith(BEARER) === true && isValid(authorization.slice(BEARER.length));
}
