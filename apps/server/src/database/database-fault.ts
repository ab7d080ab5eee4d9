/** A database that cannot be used as it is. The message is one line for the operator. */
export class DatabaseFault extends Error {
  /** Whether the database may become usable: by a migration, or once a server is back or accepts a login. */
  readonly isTransient: boolean;

  constructor(
    message: string,
    { cause, isTransient = false }: { cause?: unknown; isTransient?: boolean } = {},
  ) {
    super(message, { cause });
    this.isTransient = isTransient;
  }
}
