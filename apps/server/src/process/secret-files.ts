import { readFileSync } from 'node:fs';
import { ConfigError, systemCodeOf } from './operator-error.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export const fileVariableOf = (name: string): string => `${name}_FILE`;

/** Reads the value of each variable `NAME` from the file that `NAME_FILE` names. */
export function readSecretFiles(names: readonly string[], environment: Variables) {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of names) {
    const variable = fileVariableOf(name);
    const file = environment[variable];
    if (!file) continue;
    try {
      if (environment[name]) faults.push(`${variable}: ${name} is set as well; set one of them`);
      else values[name] = readSecretFile(variable, file);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { values, faults };
}

/**
 * Reads a secret without white space around it, such as the line feed that editors and `echo` add.
 * @throws ConfigError when the file cannot be read, or has not exactly one line
 */
function readSecretFile(variable: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (/^.+$/.test(text)) return text;
  } catch (error) {
    // The error's own message names the path. An operator may have set the secret itself instead of a path.
    throw new ConfigError(`${variable}: the file cannot be read: ${systemCodeOf(error)}`);
  }
  throw new ConfigError(`${variable}: ${file} must have one line`);
}
