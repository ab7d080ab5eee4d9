import fc from 'fast-check';

/** Bytes that are dangerous for parsers of HTTP and JSON. */
const DISRUPTIONS = [
  '\r\n\r\n',
  '\n',
  '\0',
  ':',
  '\u00ff',
  'ffffffffffffffff\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Connection: upgrade\r\nUpgrade: h2c\r\n',
  'GET /v1/pets HTTP/1.1\r\n\r\n',
  'A'.repeat(20_000),
  'X: y\r\n'.repeat(3_000),
];

/** One change of a request. */
const mutations: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc
  .record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat({ max: 40 }),
    insertion: fc.oneof(
      fc.constantFrom(...DISRUPTIONS).map((text) => Buffer.from(text, 'latin1')),
      fc.uint8Array({ maxLength: 8 }),
    ),
    kind: fc.constantFrom('overwrite', 'insert', 'cut', 'repeat', 'end'),
  })
  .map(({ at, length, insertion, kind }) => (bytes) => {
    const start = Math.floor(at * bytes.length);
    const [before, after] = [bytes.subarray(0, start), bytes.subarray(start)];
    switch (kind) {
      case 'overwrite':
        return Buffer.concat([before, insertion, after.subarray(insertion.length)]);
      case 'insert':
        return Buffer.concat([before, insertion, after]);
      case 'cut':
        return Buffer.concat([before, after.subarray(length)]);
      case 'repeat':
        return Buffer.concat([before, after.subarray(0, length), after]);
      default:
        return before;
    }
  });

/** Requests that are valid before one to four changes. */
export const mutated = (requests: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.constantFrom(...requests), fc.array(mutations, { minLength: 1, maxLength: 4 }))
    .map(([request, changes]) => changes.reduce((bytes, change) => change(bytes), request));
