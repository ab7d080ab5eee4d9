export interface HeaderDescription {
  description: string;
  example?: string;
  /** Whether the header is absent from some of the responses for which the contract states it. */
  isOptional?: boolean;
}

/** The form of `X-Request-Id`. The service replaces an id that does not match. */
export const REQUEST_ID = /^[\w.-]{1,128}$/;

/** The response headers of this interface beyond plain HTTP. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      'Identifies the request in the logs of the service: quote it when asking for help. The caller may choose ' +
      'it by sending one',
    example: 'c7e1a3b0-2f64-4c1e-9f0e-0a6b6f1d2a55',
  },
  'Cache-Control': {
    description:
      '`private, no-cache` where there is an ETag: a private cache may store the response and must revalidate ' +
      'it. `no-store` on everything else',
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
    description:
      '`true` when this response repeats the first response to the Idempotency-Key; absent otherwise',
    example: 'true',
    isOptional: true,
  },
  Link: {
    description: 'Links (RFC 8288): `<URL>; rel="next"` is the next page; absent on the last page',
    isOptional: true,
  },
  Location: { description: 'URL of the created resource' },
  RateLimit: {
    description:
      'Where the service limits the rate of requests: `r` is how many the API key may send within the next `t` ' +
      'seconds (IETF draft draft-ietf-httpapi-ratelimit-headers)',
    example: '"default";r=58;t=1',
    isOptional: true,
  },
  'RateLimit-Policy': {
    description:
      'Where the service limits the rate of requests: `q` is how many an API key may send in `w` seconds (see ' +
      'RateLimit)',
    example: '"default";q=60;w=60',
    isOptional: true,
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again',
    example: '1',
  },
  Sunset: {
    description: 'When the operation is to be removed (RFC 8594)',
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  'WWW-Authenticate': {
    description: 'The Bearer challenge (RFC 6750)',
    example: 'Bearer realm="petstore", error="invalid_token"',
  },
} satisfies Record<string, HeaderDescription>;

export type ResponseHeader = keyof typeof responseHeaders;
