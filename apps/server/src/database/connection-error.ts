/**
 * The database cannot be used now:
 *
 * - `busy`: all connections were in use for too long;
 * - `connect`: no connection can be made;
 * - `standby`: the server only follows another one;
 * - `statement`: the connection was lost during a statement, whose transaction is rolled back;
 * - `timeout`: a statement got no response in time;
 * - `commit`: the connection was lost, or there was no response, during a commit, which may have happened.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly phase: 'busy' | 'connect' | 'standby' | 'statement' | 'timeout' | 'commit';

  constructor(phase: ConnectionError['phase'], cause?: unknown) {
    super(`No connection to the database (${phase})`, { cause });
    this.phase = phase;
  }
}
