/** The version of this package, for OpenAPI documents. A bundle cannot read package.json; a test compares the two. */
export const INTERFACE_VERSION = '1.0.0';
