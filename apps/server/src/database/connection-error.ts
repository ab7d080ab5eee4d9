/**
 * There is no connection to the database: all were at work for too long, it could not be made, or was lost
 * during a statement or during a commit, of which nobody knows then whether it happened. The cause says why.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly phase: 'busy' | 'connect' | 'statement' | 'commit';

  constructor(phase: ConnectionError['phase'], cause?: unknown) {
    super(`No connection to the database (${phase})`, { cause });
    this.phase = phase;
  }
}
