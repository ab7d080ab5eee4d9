/** The version of this package, which `pnpm version-packages` writes. */
export const version = '1.0.0';
