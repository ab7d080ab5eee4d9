/** Creates the error of a rule, which is shown after the property's name: `is required` for a missing value. */
export const missingOrWrong =
  (text: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? 'is required' : text;
