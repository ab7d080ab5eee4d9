import { variables } from '../config.ts';

/** Names up to this length are so common that only one slip counts. */
const SHORT_NAME = 5;

/** A variable that is none of the service's, and the one that is likely meant. */
export interface Misspelling {
  variable: string;
  meant: string;
}

/**
 * Finds variables whose names are those of the service but for a slip or two, where the service's own is not set.
 * Values are left out: they may be secrets.
 */
export function findMisspelled(environment: NodeJS.ProcessEnv = process.env): Misspelling[] {
  const isSet = (name: string) => environment[name] !== undefined && environment[name] !== '';
  const absent = variables.filter((name) => !isSet(name));
  return Object.keys(environment)
    .filter((name) => isSet(name) && !variables.includes(name))
    .flatMap((variable) => {
      const meant = absent.find((name) => isMisspelling(variable, name));
      return meant === undefined ? [] : { variable, meant };
    });
}

/** Tells the operator which variables are likely meant to be those of the service. */
export function warnOfMisspelled(warn: (message: string, misspelling: Misspelling) => void): void {
  for (const misspelling of findMisspelled()) {
    const { variable, meant } = misspelling;
    warn(`${variable} is not a variable of the service and has no effect: is ${meant} meant?`, misspelling);
  }
}

function isMisspelling(given: string, name: string): boolean {
  const slips = name.length <= SHORT_NAME ? 1 : 2;
  return Math.abs(given.length - name.length) <= slips && countSlips(given.toUpperCase(), name) <= slips;
}

/**
 * The number of characters to insert, remove, replace or exchange with their neighbour (optimal string alignment).
 * The common libraries count an exchange as two, and PROT is the slip that is made most.
 */
function countSlips(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const at = (cells: number[], index: number) => cells[index] ?? Number.POSITIVE_INFINITY;
      const isSame = a[row - 1] === b[column - 1];
      const isExchanged = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
        isExchanged ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
