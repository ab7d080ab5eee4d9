/** Prints a line of a command's result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Prints lines, and waits until they are taken, so that a command that prints many holds few.
 *
 * @returns whether they could be written; `withDatabase` says why not
 */
export function printLines(lines: readonly string[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  process.stdout.write(lines.map((line) => `${line}\n`).join(''), (error) => resolve(!error));
  return promise;
}

/** Tells the operator something beside the result, which may go to a program. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Ends the command with exit code 1 and one line that says why. */
export function fail(reason: string): void {
  process.stderr.write(`petstore: ${reason}\n`);
  process.exitCode = 1;
}
