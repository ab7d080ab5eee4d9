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

export function toTable(keys: readonly StoredKey[]): string {
  const rows = [HEADER, ...keys.map(toCells)];
  // `Math.max(...lengths)` overflows the stack from about 125,000 rows.
  const widthOf = (column: number) => rows.reduce((max, row) => Math.max(max, row[column]?.length ?? 0), 0);
  const widths = HEADER.map((_, column) => widthOf(column));
  const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

function toCells(key: StoredKey): string[] {
  const { name, scope, rate_limit, created_at, ends_at, last_used_at } = key;
  const end = ends_at === null ? '' : formatMinute(ends_at);
  const lastUse = last_used_at === null ? 'never' : formatMinute(last_used_at);
  return [name, scope, rate_limit ?? 'default', stateOf(key), end, formatMinute(created_at), lastUse];
}
