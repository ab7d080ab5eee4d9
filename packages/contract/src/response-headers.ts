/** The header fields that responses of this interface carry beyond plain HTTP, for the OpenAPI document. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      'Identifies the request in the logs of the service: quote it when asking for help. The caller may choose ' +
      'it by sending one',
    example: 'c7e1a3b0-2f64-4c1e-9f0e-0a6b6f1d2a55',
  },
  'Cache-Control': {
    description:
      '`private, no-cache` where there is an ETag: a private cache may keep the answer and must revalidate it. ' +
      '`no-store` on everything else',
    example: 'private, no-cache',
  },
  Deprecation: {
    description: 'When the operation became deprecated (RFC 9745): an @ and seconds since 1970',
    example: '@1764892800',
  },
  ETag: {
    description: 'Entity tag (RFC 9110): send it as If-None-Match to get 304 when nothing changed',
    example: '"HcZXvEdiJ4dBKQVbtS1fTyuuFxY"',
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the first answer to the Idempotency-Key, given again',
    example: 'true',
  },
  Link: {
    description:
      'Links (RFC 8288): `next` is the next page, absent on the last; `deprecation` is documentation',
    example: '</v1/pets?limit=20&cursor=MjA>; rel="next"',
  },
  Location: { description: 'Address of the new animal', example: '/v1/pets/1' },
  'Retry-After': { description: 'Seconds to wait before asking again', example: '1' },
  Sunset: {
    description: 'When the operation is to be removed (RFC 8594)',
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  'WWW-Authenticate': {
    description: 'The Bearer challenge (RFC 6750)',
    example: 'Bearer realm="petstore", error="invalid_token"',
  },
} as const satisfies Record<string, { description: string; example: string }>;

export type ResponseHeader = keyof typeof responseHeaders;
