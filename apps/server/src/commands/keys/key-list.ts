import { styleText } from 'node:util';
import { isValidAt, type StoredKey } from '../../keys/repository.ts';
import { formatIso, formatMinute } from '../times.ts';

export const toJson = (keys: readonly StoredKey[]): string => JSON.stringify(keys.map(toObject), null, 2);

/** Has every property, with null where a key has no value. */
const toObject = (key: StoredKey) => ({
  name: key.name,
  scope: key.scope,
  rateLimit: key.rate_limit,
  state: stateOf(key),
  createdAt: formatIso(key.created_at),
  endsAt: formatIso(key.ends_at),
  lastUsedAt: formatIso(key.last_used_at),
});

/** `valid`, or why the key has ended, if that is known. */
const stateOf = (key: StoredKey) => (isValidAt(key, Date.now()) ? 'valid' : (key.end_reason ?? 'ended'));

const HEADER = ['NAME', 'SCOPE', 'RATE LIMIT', 'STATE', 'END', 'CREATED', 'LAST USED'];

/** Formats a table. On a terminal it fits the width, and keys that have ended are grey. */
export function toTable(keys: readonly StoredKey[], width = process.stdout.columns ?? Infinity): string {
  const rows = keys.map(toCells);
  const widths = HEADER.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  );
  function format(row: readonly string[]): string {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    return line.trimEnd().length > width ? `${line.slice(0, width - 1)}…` : line.trimEnd();
  }
  const isEnded = (index: number) => keys[index] && stateOf(keys[index]) !== 'valid';
  const lines = rows.map((row, index) => (isEnded(index) ? styleText('gray', format(row)) : format(row)));
  return [format(HEADER), ...lines].join('\n');
}

function toCells(key: StoredKey): string[] {
  const { name, scope, rate_limit, created_at, ends_at, last_used_at } = key;
  const end = ends_at === null ? '' : formatMinute(ends_at);
  const lastUse = last_used_at === null ? 'never' : formatMinute(last_used_at);
  return [name, scope, rate_limit ?? 'default', stateOf(key), end, formatMinute(created_at), lastUse];
}
