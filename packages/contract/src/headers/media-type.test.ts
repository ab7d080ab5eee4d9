import { expect, test } from 'vitest';
import { isJsonMediaType } from './media-type.ts';

// The conformance suite tries further values.
test.each([
  'application/json;charset="UTF-8"',
  'application/json ; charset=utf-8 ;',
  'application/json; odata.metadata=minimal; profile="https://shop.example/a;b\\"c"; CHARSET=utf-8',
])('isJsonMediaType accepts %s', (contentType) => {
  expect(isJsonMediaType(contentType)).toBe(true);
});

test.each([
  'application/vnd.api+json',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; version=1; Charset=latin1',
  'application/json; charset',
  'application/json; charset =utf-8',
  'application/json; profile="open',
  'application/json charset=utf-8',
  'application/json, text/plain',
])('isJsonMediaType refuses %s', (contentType) => {
  expect(isJsonMediaType(contentType)).toBe(false);
});
