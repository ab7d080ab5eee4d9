import { InvalidArgumentError } from 'commander';

/** Reads the argument of an option. @throws InvalidArgumentError, which commander reports with the option */
export function positiveNumber(text: string): number {
  if (!/^\d{1,8}(\.\d+)?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('It must be a positive number.');
  }
  return Number(text);
}

/** Like {@link positiveNumber}, without fractions. */
export function positiveInteger(text: string): number {
  if (!Number.isInteger(positiveNumber(text)))
    throw new InvalidArgumentError('It must be a positive integer.');
  return Number(text);
}
