export {
  codesOf,
  ErrorBody,
  type ErrorCode,
  type ErrorResponses,
  errorCodes,
  errors,
  type StatusOf,
  statusOf,
} from './error.ts';
export { type Deprecation, deprecationHeaders } from './headers/deprecation.ts';
export { IdempotencyKey, parseIdempotencyKey } from './headers/idempotency-key.ts';
export { findLink, formatLinks, type Link } from './headers/link.ts';
export { isJsonMediaType } from './headers/media-type.ts';
export { REQUEST_ID, type ResponseHeader, responseHeaders } from './headers/response-headers.ts';
export { INTERFACE_VERSION } from './interface-version.ts';
export { findIJsonFault } from './json/i-json.ts';
export { normalizeInteger, parseJson, stringifyJson } from './json/json.ts';
export { operation, type Route, type RouteMetadata, type Scope, scopes } from './operation.ts';
export { sizeLimits } from './size-limits.ts';
export { type Cursor, decodeCursor, encodeCursor } from './v1/cursor.ts';
export { NewPet, Pet, PetStatus, Pets, pageSize } from './v1/pet.ts';
export { getPetDeprecation, ListPetsQuery } from './v1/pets.ts';
export { v1 } from './v1/v1.ts';
export { Int64, int64Bounds, parseInt64 } from './values.ts';
export type { Version } from './version.ts';
