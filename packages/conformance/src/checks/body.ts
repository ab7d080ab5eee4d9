import { addPet, fetchPet, newPet, petOf, post } from '../animals.ts';
import type { Check } from '../check.ts';
import { expectError } from '../error-answer.ts';
import { assert } from '../nonconformity.ts';

const valid = JSON.stringify(newPet());

const malformed: Record<string, string | Uint8Array<ArrayBuffer>> = {
  'an empty body': '',
  'JSON that is cut off': valid.slice(0, -1),
  'JSON with a comma too many': '{"name":"x","categoryId":1,}',
  'JSON with single quotes': "{'name':'x','categoryId':1}",
  'JSON with something after it': `${valid} x`,
  'a number that JSON does not have': '{"name":"x","categoryId":0x10}',
  'member names that occur twice': '{"name":"x","name":"y","categoryId":1}',
  // 0xFF occurs in no UTF-8 text.
  'bytes that are no UTF-8': Uint8Array.from(valid, (character) =>
    character === 'C' ? 0xff : character.charCodeAt(0),
  ),
};

const otherMediaTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/jsonp',
];

const sameMediaTypes = ['application/json; charset=utf-8', 'Application/JSON'];

export const body: Check[] = [
  ...Object.entries(malformed).map(
    ([what, text]): Check => ({
      name: `createPet refuses ${what} with 400`,
      cites: 'design: malformed JSON 400',
      readOnly: false,
      run: async (target) => {
        expectError(await post(target, text), 400, 'malformed_json', 'invalid_body');
      },
    }),
  ),
  ...otherMediaTypes.map(
    (type): Check => ({
      name: `A body of media type ${type} is 415`,
      cites: 'design: other media type 415',
      readOnly: false,
      run: async (target) => {
        expectError(await post(target, valid, { 'content-type': type }), 415, 'unsupported_media_type');
      },
    }),
  ),
  {
    name: 'application/json may come with a charset and in capitals',
    cites: 'RFC 9110 section 8.3',
    readOnly: false,
    run: async (target) => {
      for (const type of sameMediaTypes) petOf(await post(target, valid, { 'content-type': type }), 201);
    },
  },
  {
    name: 'A body of more than 64 KiB is 413',
    cites: 'design: body too large 413',
    readOnly: false,
    run: async (target) => {
      expectError(await post(target, newPet({ name: 'x'.repeat(70 * 1024) })), 413, 'body_too_large');
    },
  },
  {
    name: 'A body of less than 64 KiB is accepted',
    cites: 'design: body too large 413',
    readOnly: false,
    run: async (target) => {
      const name = 'x'.repeat(60 * 1024);
      const fetched = await fetchPet(target, await addPet(target, { name }));
      assert(
        fetched.name === name,
        `expected ${name.length} characters back, but there were ${fetched.name.length}`,
      );
    },
  },
];
