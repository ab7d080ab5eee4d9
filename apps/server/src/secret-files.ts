import { readFileSync } from 'node:fs';
import { reasonOf } from './database/reason.ts';
import { ConfigError } from './operator-error.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export const fileVariableOf = (name: string): string => `${name}_FILE`;

/**
 * Reads the value of each variable `NAME` from the file that `NAME_FILE` names.
 * @throws ConfigError when a variable and its file are both given, or a file is not a line of text
 */
export function readSecretFiles(names: readonly string[], environment: Variables): Variables {
  const values = names.flatMap((name) => {
    const variable = fileVariableOf(name);
    const file = environment[variable];
    if (!file) return [];
    if (environment[name]) throw new ConfigError(`${variable}: ${name} is set as well; set one of them`);
    return [[name, readSecretFile(variable, file)]];
  });
  return Object.fromEntries(values);
}

/**
 * Reads a secret without the line feed that editors, `echo` and Kubernetes add.
 * @throws ConfigError when the file is not a line of text
 */
export function readSecretFile(variable: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (/^.+$/.test(text)) return text;
  } catch (error) {
    throw new ConfigError(`${variable}: ${reasonOf(error)}`);
  }
  throw new ConfigError(`${variable}: ${file} must have one line`);
}
