import { ListPetsQuery, stringifyJson, type Version, v1 } from '@petstore/contract';
import fc from 'fast-check';
import { int64s, newPets, writtenPets } from './new-pets.ts';

/** The parts of a request. */
export interface WireRequest {
  method: string;
  /** Path and query, as in the request line. */
  target: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
  isChunked: boolean;
}

/** Writes a request as bytes, with `Connection: close`. */
export function toBytes({ method, target, headers, body, isChunked }: WireRequest): Buffer {
  const framing: [string, string][] =
    body.length === 0
      ? []
      : isChunked
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', `${body.length}`]];
  const lines = [['Host', 'a'], ['Connection', 'close'], ...headers, ...framing];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const isInChunks = body.length > 0 && isChunked;
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    Buffer.from(isInChunks ? `${body.length.toString(16)}\r\n` : ''),
    body,
    Buffer.from(isInChunks ? '\r\n0\r\n\r\n' : ''),
  ]);
}

/** Characters that Node allows in a request target. Percent signs are more frequent than the others. */
const targetTexts = fc.string({
  unit: fc.oneof(
    fc.constantFrom('%', '%2', '%ff', '%00', '%2F', '%F0%9F%A6%A4', '/', ...'.;&=+[\\"'),
    fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 20,
});

const segments = fc.oneof(
  int64s.map(String),
  fc.bigInt().map(String),
  fc.constantFrom('', '-0', '01', '+1', '1.0', '1e1', '0x1', '%31', `${2n ** 63n}`, '..', '__proto__'),
  targetTexts,
);

const { contract, prefix }: Version = v1;
const routes = fc.constantFrom(...Object.values(contract).flatMap((resource) => Object.values(resource)));

/** Paths of the contract with valid and invalid ids, and other request targets. */
const paths = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(routes, segments).map(([{ path }, id]) => prefix + path.replace(/:\w+/, () => id)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/livez', '/readyz', '/openapi.json', '/docs', '*', 'http://a/v1/pets'),
  },
  { weight: 1, arbitrary: targetTexts },
  { weight: 1, arbitrary: targetTexts.map((text) => `/v1/pets${text}`) },
  { weight: 1, arbitrary: targetTexts.map((text) => `http://${text}`) },
);

const parameters = fc.tuple(
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...Object.keys(ListPetsQuery.shape)) },
    { weight: 1, arbitrary: targetTexts },
  ),
  fc.oneof(
    fc.integer({ min: -1, max: 102 }).map(String),
    fc.constantFrom('available', 'pending', 'sold', 'Sold', 'MjA', 'MA', 'MTAsc29sZA', ''),
    int64s.map((after) => btoa(`${after}`)),
    fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text)),
    targetTexts,
  ),
);

const queries = fc
  .array(
    parameters.map(([name, value]) => `${name}=${value}`),
    { maxLength: 4 },
  )
  .map((items) => (items.length === 0 ? '' : `?${items.join('&')}`));

const fieldValues = fc.oneof(
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
  fc.constantFrom('application/json; charset=utf-8', 'application/json;charset=utf-16', 'text/plain'),
  fc.constantFrom('gzip', 'identity', '100-continue', '*', 'W/"x"', '"key"', '"ke\\"y"', 'Bearer x', ''),
);

const TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";

const extraHeaders: fc.Arbitrary<[string, string]> = fc.tuple(
  fc.oneof(
    fc.constantFrom('Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id', 'Content-Encoding'),
    fc.constantFrom('Expect', 'Range', 'Origin', 'Accept-Encoding', 'Host', 'Authorization'),
    fc.string({ unit: fc.constantFrom(...TOKEN), minLength: 1, maxLength: 12 }).map((name) => `X-${name}`),
  ),
  fieldValues,
);

const utf8 = (text: string): Uint8Array => Buffer.from(text);

/** JSON of a pet with characters that were removed, repeated or inserted. */
const damagedTexts = fc
  .tuple(
    writtenPets,
    fc.nat(),
    fc.nat({ max: 8 }),
    fc.oneof(fc.string(), fc.constantFrom('"', '\\', '{', ',', 'NaN', '1e999', '\\ud800', '\\u0000')),
  )
  .map(([{ text }, start, length, insertion]) => {
    const at = start % (text.length + 1);
    return text.slice(0, at) + insertion + text.slice(at + length);
  });

/** A pet with one member removed, or replaced by any JSON value. The service refuses most of these pets. */
const refusedPets = fc
  .tuple(
    newPets,
    fc.constantFrom('name', 'categoryId', 'status'),
    fc.option(fc.jsonValue(), { nil: undefined }),
  )
  .map(([pet, member, value]) => stringifyJson({ ...pet, [member]: value }));

const bodies: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.constant(new Uint8Array()),
  writtenPets.map(({ text }) => utf8(text)),
  damagedTexts.map(utf8),
  refusedPets.map(utf8),
  fc.json().map(utf8),
  fc.uint8Array({ maxLength: 200 }),
  fc.tuple(writtenPets, fc.nat(), fc.nat({ max: 255 })).map(([{ text }, at, byte]) => {
    const bytes = utf8(text);
    return bytes.with(at % bytes.length, byte);
  }),
);

const methods = fc.oneof(
  { weight: 4, arbitrary: routes.map(({ method }): string => method) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'CONNECT', 'PRI'),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...TOKEN), minLength: 1, maxLength: 8 }) },
);

/**
 * Requests to the operations of the contract, with parts that are valid or invalid.
 * @param apiKey the key that most requests have
 */
export function requests(apiKey: string): fc.Arbitrary<WireRequest> {
  const usual = creation(apiKey, '').headers;
  const anyRequest = fc.record({
    method: methods,
    target: fc.tuple(paths, queries).map((parts) => parts.join('')),
    headers: fc
      .tuple(fc.subarray(usual, { minLength: 1 }), fc.array(extraHeaders, { maxLength: 2 }))
      .map((parts) => parts.flat()),
    body: bodies,
    isChunked: fc.boolean(),
  });
  // Random requests rarely add a pet, so every twentieth request is a valid creation.
  const creations = writtenPets.map(({ text }) => creation(apiKey, text));
  return fc.oneof({ weight: 19, arbitrary: anyRequest }, { weight: 1, arbitrary: creations });
}

/** A valid creation of a pet. */
export const creation = (apiKey: string, text: string): WireRequest => ({
  method: 'POST',
  target: v1.prefix + v1.contract.pets.createPet.path,
  headers: [
    ['Authorization', `Bearer ${apiKey}`],
    ['Content-Type', 'application/json'],
  ],
  body: utf8(text),
  isChunked: false,
});
