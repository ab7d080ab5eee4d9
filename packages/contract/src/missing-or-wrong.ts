/** The error of a rule, to follow the name of the property: `is required` for a missing value, otherwise the text. */
export const missingOrWrong =
  (text: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? 'is required' : text;
