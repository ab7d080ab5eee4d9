import { readFileSync } from 'node:fs';
import { systemCodeOf } from './operator-error.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export const fileVariableOf = (name: string): string => `${name}_FILE`;

/**
 * Reads the value of each variable `NAME` from the file that `NAME_FILE` names, without white space around it, such as
 * the line feed that editors and `echo` add.
 * @returns the values, and a line per fault: a file is unreadable, empty or of several lines, or `NAME` is set, too
 */
export function readSecretFiles(names: readonly string[], environment: Variables) {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of names) {
    const variable = fileVariableOf(name);
    const file = environment[variable];
    if (!file) continue;
    if (environment[name]) faults.push(`${variable}: ${name} is set as well; set one of them`);
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (/^.+$/.test(text)) values[name] = text;
      else faults.push(`${variable}: ${file} must have one line`);
    } catch (error) {
      // The error's own message names the path. An operator may have set the secret itself instead of a path.
      faults.push(`${variable}: the file cannot be read: ${systemCodeOf(error)}`);
    }
  }
  return { values, faults };
}
