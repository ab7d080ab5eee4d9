import { sizeLimits } from '@petstore/contract';
import { type Check, checks, each, tableOf } from '../../check.ts';
import { expectError } from '../../http/response.ts';
import type { NewPet } from '../../interface.ts';
import { expectKept, newPet, petOf, post } from '../../pets.ts';

const valid = JSON.stringify(newPet());

/** The JSON of a NewPet with an unknown member, whose value begins at the second level of nesting. */
const withTags = (tags: string) => valid.replace('}', `,"tags":${tags}}`);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const harmless = {
  'of 32 levels of nesting': withTags(nested(31)),
  'in which several objects have a member with the same name': withTags('[{"name":"a"},{"name":"b"}]'),
};

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

function petOfBytes(bytes: number): NewPet {
  const withoutName = JSON.stringify(newPet({ name: '' })).length;
  return newPet({ name: 'x'.repeat(bytes - withoutName) });
}

const malformed: Record<string, string | Uint8Array<ArrayBuffer>> = {
  'JSON with a comma too many': '{"name":"x","categoryId":1,}',
  'JSON with single quotes': "{'name':'x','categoryId':1}",
  'JSON with something after it': `${valid} x`,
  'a number that JSON does not have': '{"name":"x","categoryId":0x10}',
  'member names that occur twice': '{"name":"x","name":"y","categoryId":1}',
  'member names that occur twice in two notations': '{"name":"x","n\\u0061me":"y","categoryId":1}',
  'member names that occur twice in a member that is ignored': withTags('[{"a":1,"a":2}]'),
  'a __proto__ member': '{"name":"x","categoryId":1,"__proto__":{"status":"sold"}}',
  'a __proto__ member in another notation': '{"name":"x","categoryId":1,"\\u005f_proto__":{}}',
  'nesting deeper than 32 levels': withTags(nested(32)),
  'nesting of 10,000 levels': withTags(nested(10_000)),
  // UTF-8 never has the byte 0xFF.
  'bytes that are no UTF-8': Uint8Array.from(valid, (character) =>
    character === 'C' ? 0xff : character.charCodeAt(0),
  ),
};

const otherMediaTypes = [
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/jsonp',
];

const sameMediaTypes = [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json; profile="https://shop.example"',
];

export const body: Check[] = [
  ...checks('decision: JSON bodies', {
    ...each('createPet returns 400 for …', malformed, async (target, text) =>
      expectError(await post(target, text), 400, 'malformed_json', 'invalid_body'),
    ),
    ...each('createPet accepts a body …', harmless, async (target, text) =>
      petOf(await post(target, text), 201),
    ),
  }),
  ...checks('decision: media type of a body', {
    ...each(
      'createPet returns 415 for a body of media type …',
      tableOf(otherMediaTypes),
      async (target, type) =>
        expectError(await post(target, valid, { 'content-type': type }), 415, 'unsupported_media_type'),
    ),
    'createPet returns 415 for a compressed body': async (target) => {
      const response = await post(target, await gzip(valid), { 'content-encoding': 'gzip' });
      expectError(response, 415, 'unsupported_media_type');
    },
    'createPet returns 413 for a body of one byte more than 64 KiB': async (target) =>
      expectError(await post(target, petOfBytes(sizeLimits.body + 1)), 413, 'body_too_large'),
    'createPet accepts a body of 64 KiB': async (target) => {
      const pet = petOfBytes(sizeLimits.body);
      await expectKept(target, pet, pet);
    },
  }),
  ...checks('RFC 9110 section 8.3', {
    'createPet accepts application/json in capitals, with charset=utf-8 and with a profile': async (
      target,
    ) => {
      for (const type of sameMediaTypes) petOf(await post(target, valid, { 'content-type': type }), 201);
    },
  }),
];
