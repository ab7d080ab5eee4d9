import { isValidAt, type StoredKey } from '../../keys/repository.ts';
import { formatIso, formatMinute } from '../times.ts';

export const toJson = (keys: readonly StoredKey[]): string => JSON.stringify(keys.map(toObject), null, 2);

/** Has every property, with null where a key has no value. */
const toObject = (key: StoredKey) => ({
  name: key.name,
  scope: key.scope,
  rateLimit: key.rateLimit ?? null,
  state: stateOf(key),
  createdAt: formatIso(key.createdAt),
  endsAt: formatIso(key.endsAt),
  lastUsedAt: formatIso(key.lastUsedAt),
});

/** `valid`, or why the key has ended, if that is known. */
const stateOf = (key: StoredKey) => (isValidAt(key, Date.now()) ? 'valid' : (key.endReason ?? 'ended'));

const HEADER = ['NAME', 'SCOPE', 'RATE LIMIT', 'STATE', 'END', 'CREATED', 'LAST USED'];

export function toTable(keys: readonly StoredKey[]): string {
  const rows = [HEADER, ...keys.map(toCells)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

function toCells(key: StoredKey): string[] {
  const { name, scope, rateLimit = 'default', createdAt, endsAt, lastUsedAt } = key;
  const state = stateOf(key);
  const end = endsAt === undefined ? '' : formatMinute(endsAt);
  const lastUse = lastUsedAt === undefined ? 'never' : formatMinute(lastUsedAt);
  return [name, scope, rateLimit, state, end, formatMinute(createdAt), lastUse];
}
