/** The part of a zod issue that tells a missing value from a wrong one. */
interface Issue {
  input?: unknown;
}

/**
 * The error of a rule, to stand after the name of the property: `is required` where the value is missing, the given
 * text where it is wrong.
 */
export const missingOrWrong =
  (text: string) =>
  ({ input }: Issue): string =>
    input === undefined ? 'is required' : text;
