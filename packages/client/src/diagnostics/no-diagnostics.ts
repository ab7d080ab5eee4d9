// Production bundles for browsers get this module instead of `with-diagnostics.ts`, by `imports` in package.json.

export function checkStoreOptions(): void {}

export function checkCallOptions(): void {}

export const withDiagnostics = <Options>(options: Options): Options => options;
