import { ConnectionError } from '../../connection-error.ts';
import { type Int64, NO_ID, parseInt64 } from '../../int64.ts';
import type { VersionSource } from './reader.ts';

/** A version with what it is made of. */
export interface PostgresVersion {
  readonly epoch: string;
  readonly newestId: Int64;
  /** In hexadecimal with leading zeros, so in the order of the numbers; a higher one after each failover. */
  readonly timeline: string;
  /** The file of the table: another one when the table or the database is replaced, by a restored one too. */
  readonly file: string;
  /** Moved by triggers when rows are changed or removed. */
  readonly revision: Int64;
}

/**
 * What a statement says of the server that runs it: a connection does not tell, because behind a pooler or a proxy the
 * next statement may run on another server. Any role may read it. The start time changes with each start of the server.
 *
 * @param timeline an expression, a word in place of a number where the server is not one to read from
 */
const identityOf = (table: string, timeline: string) => `concat_ws(' ', ${timeline},
  extract(epoch from pg_postmaster_start_time()), coalesce(pg_relation_filepath('"${table}"'), 'none'))`;

const contentOf = (table: string) =>
  `coalesce((select max(revision) from "${table}_revision"), 0), (select max(id) from "${table}")`;

/** The identity of the primary. */
export const identitySql = (table: string) =>
  identityOf(
    table,
    `case when pg_is_in_recovery() then 'standby' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end`,
  );

/** The timeline that a standby is known to have reached, which may be later than its data says. */
const STANDBY_TIMELINE = `case when not pg_is_in_recovery() then 'promoted' else lpad(upper(to_hex(greatest(
  (select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())
))), 8, '0') end`;

/** The versions of the primary. What comes from a history that is behind what was seen before is refused. */
export class PrimaryVersions implements VersionSource<PostgresVersion> {
  readonly sql: string;
  /** The highest timeline so far, and the file of the table in it. */
  #timeline = '';
  #file = '';

  constructor(table: string) {
    this.sql = `concat_ws(' ', ${identitySql(table)}, ${contentOf(table)})`;
  }

  /** @throws ConnectionError `standby` or `behind` */
  parse(text: string): PostgresVersion {
    const version = parseVersion(text);
    this.#check(version.timeline, version.file);
    return version;
  }

  /**
   * @param text what `identitySql` gave
   * @throws ConnectionError `standby` or `behind`
   */
  checkIdentity(text: string): void {
    const [timeline = '', , file = ''] = text.split(' ');
    this.#check(timeline, file);
  }

  #check(timeline: string, file: string): void {
    if (timeline === 'standby') throw new ConnectionError('standby');
    // Another file is another database, or a restored one.
    if (file === this.#file && timeline < this.#timeline) throw new ConnectionError('behind');
    this.#timeline = timeline;
    this.#file = file;
  }
}

/** The versions of a standby. */
export const standbyVersions = (table: string): VersionSource<PostgresVersion> => ({
  sql: `concat_ws(' ', ${identityOf(table, STANDBY_TIMELINE)}, ${contentOf(table)})`,
  parse: parseVersion,
});

/** Whether what a standby holds includes all of a version of the primary. */
export function hasReached(standby: PostgresVersion, primary: PostgresVersion): boolean {
  const isSameHistory = standby.timeline === primary.timeline && standby.file === primary.file;
  const isLater = standby.revision > primary.revision;
  return (
    isSameHistory &&
    (isLater || (standby.revision === primary.revision && standby.newestId >= primary.newestId))
  );
}

function parseVersion(text: string): PostgresVersion {
  const [timeline = '', start, file = '', revision = '0', newestId] = text.split(' ');
  return {
    timeline,
    file,
    revision: parseInt64(revision),
    epoch: `${timeline} ${start} ${file} ${revision}`,
    newestId: newestId === undefined ? NO_ID : parseInt64(newestId),
  };
}
