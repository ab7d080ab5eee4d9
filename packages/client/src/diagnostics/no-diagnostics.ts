// In place of `with-diagnostics.ts`, in the build for production bundles of browsers.

export function explainStoreOptions(): void {}

export const withDiagnostics = <Options>(options: Options): Options => options;
