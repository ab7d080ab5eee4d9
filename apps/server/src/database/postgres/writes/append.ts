import type { Addition, Appended } from '../../database.ts';
import { digestKey, shortenFingerprint } from '../../idempotency.ts';
import type { Int64 } from '../../int64.ts';
import { toRow } from '../../query.ts';
import type { Schema } from '../../schema.ts';
import type { Result } from '../connections/connection.ts';
import { identitySql } from '../reads/version.ts';
import { appendFunction } from './append-function.ts';

/** What the function returns, and the server that ran it. */
interface AppendRow {
  ids: Int64[];
  is_added: boolean[];
  has_same_fingerprint: (boolean | null)[] | null;
  /** The id that would have come next, where another program has added rows from there on. */
  skipped_from: Int64 | null;
  identity: string;
}

/** Makes the statement that appends rows, and reads what it returns. */
export function createAppend(schema: Schema, lock: number, lockTimeoutMs: number) {
  const { name } = appendFunction(schema, lock);
  const identity = identitySql(schema.versionedTable);

  return {
    /**
     * The values stand in the text, and not beside it: PostgreSQL runs a text when its last byte is there, and commits
     * without a further message. A prepared statement that is run before its last message has come, because a server
     * stalls between two packets, would hold the lock until its connection ends.
     */
    text(additions: readonly Addition[]): string {
      const batch = JSON.stringify(additions.map(toRecord), withExactIntegers);
      return `select *, ${identity} as identity from "${name}"('${lockTimeoutMs}', ${Date.now()}, ${quote(batch)})`;
    },

    parse({ columns, rows: [row = []] }: Result) {
      const { ids, is_added, skipped_from, identity, ...returned } = toRow<AppendRow>(columns, row);
      const appended = ids.map((id, index): Appended => {
        const hasSameFingerprint = returned.has_same_fingerprint?.[index] === true;
        return is_added[index] ? { id, isAdded: true } : { id, isAdded: false, hasSameFingerprint };
      });
      return { appended, identity, skippedFrom: skipped_from ?? undefined };
    },
  };
}

function toRecord({ idempotency, row }: Addition) {
  if (idempotency === undefined) return row;
  const { key, fingerprint } = idempotency;
  return {
    key: digestKey(key),
    fingerprint: shortenFingerprint(fingerprint),
    former_key: key,
    former_fingerprint: fingerprint,
    ...row,
  };
}

/**
 * PostgreSQL reads a string as well where a column takes an integer. One `stringify` for the batch: to put the text of
 * each row together from its values takes 9 % more of the server's processor time for a creation with a key.
 */
const withExactIntegers = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

/** Makes a literal that means the same whatever `standard_conforming_strings` is. */
const quote = (text: string) => `E'${text.replaceAll(/['\\]/g, '$&$&')}'`;
