// In place of `with-diagnostics.ts`, in the build for production bundles of browsers.

export function checkStoreOptions(): void {}

export function checkCallOptions(): void {}

export const withDiagnostics = <Options>(options: Options): Options => options;
