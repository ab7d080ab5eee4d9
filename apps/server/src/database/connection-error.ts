const messages = {
  busy: 'Too many callers wait for the database',
  connect: 'The database cannot be reached',
  standby: 'The database server is a standby: it must be the primary',
  behind:
    'The database server has an older timeline than this process has seen (docs/incidents.md: PetstoreDatabaseBehind)',
  /** The transaction is rolled back. */
  statement: 'The connection to the database was lost during a statement',
  timeout: 'The database did not respond in time, and the statement is being cancelled',
  commit: 'The database did not confirm a commit, which may have happened',
};

/** The database cannot be used now. */
export class ConnectionError extends Error {
  readonly kind: keyof typeof messages;

  constructor(kind: ConnectionError['kind'], cause?: unknown) {
    super(messages[kind], { cause });
    this.kind = kind;
  }

  /** Returns a ConnectionError unchanged, and wraps any other error. */
  static from(error: unknown, kind: ConnectionError['kind']): ConnectionError {
    return error instanceof ConnectionError ? error : new ConnectionError(kind, error);
  }
}
