/** Ends a start or a command. Each line of the message says what is wrong, and where. */
export class OperatorError extends Error {
  readonly exitCode: number = 1;
}

/** A wrong configuration, which a restart does not repair. */
export class ConfigError extends OperatorError {
  /** EX_CONFIG of sysexits.h: `RestartPreventExitStatus` in the unit of systemd. */
  override readonly exitCode = 78;
}
