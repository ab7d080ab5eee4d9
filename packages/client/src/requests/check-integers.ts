import { bodies } from '../contract.ts';

/** The properties of a pet that may be fractions: none yet. All parameters of paths and queries are integers. */
const types: Record<string, string> = bodies.Pet;

/**
 * Refuses a number that was rounded before it came here, or that is a fraction.
 *
 * @param values the properties of a pet, or parameters
 * @throws TypeError that names the property
 */
export function checkIntegers(values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || types[name]?.includes('number')) continue;
    throw new TypeError(`${name} must be a safe integer, not ${value}: use a bigint`);
  }
}
