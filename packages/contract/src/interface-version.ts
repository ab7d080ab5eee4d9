/**
 * The version of this package, which the OpenAPI documents state. A file of its own, because a bundle cannot
 * read package.json; a test holds the two equal.
 */
export const INTERFACE_VERSION = '1.0.0';
