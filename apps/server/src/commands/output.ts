/** Prints a line of a command's result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
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
