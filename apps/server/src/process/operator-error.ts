/** Ends a start or a command. Each line of the message says what is wrong, and where. */
export class OperatorError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A wrong configuration, which a restart does not repair. */
export class ConfigError extends OperatorError {
  constructor(message: string) {
    // EX_CONFIG of sysexits.h: `RestartPreventExitStatus` in the unit of systemd.
    super(message, 78);
  }
}

/** The code of a system error, such as `ENOENT`. Without a code it is the error itself. */
export const systemCodeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? error.code : error;
