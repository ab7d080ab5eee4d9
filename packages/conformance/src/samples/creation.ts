import { gzipSync } from 'node:zlib';
import { int64Bounds, sizeLimits, stringifyJson } from '@petstore/contract';
import type { SendOptions } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import type { NewPet } from '../interface.ts';
import { examplePet, newPet, optional, petOf, post, required } from '../pets/pets.ts';
import { sharedSamples } from './access.ts';
import { type Facts, type Sample, samplesOf } from './sample.ts';

/** Makes a request from a valid pet. The name of the pet shows whether the deployment has added it. */
type OptionsOf = (pet: NewPet, target: Target) => SendOptions | Promise<SendOptions>;

const withMembers =
  (members: Record<string, unknown>): OptionsOf =>
  (pet) => ({ json: { ...pet, ...members } });

/** Changes the JSON of a pet. */
const edited =
  (edit: (text: string) => string): OptionsOf =>
  (pet) => ({ body: edit(stringifyJson(pet)) });

type Property = keyof NewPet;

const without = (names: Property[]): Record<string, OptionsOf> =>
  Object.fromEntries(names.map((name) => [`a pet without a ${name}`, withMembers({ [name]: undefined })]));

const mistyped = (names: Property[]): Record<string, OptionsOf> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`a ${name} that is null`, withMembers({ [name]: null })],
      [`a ${name} that is an array`, withMembers({ [name]: [examplePet[name]] })],
    ]),
  );

/** The interface document has one optional property, `status`. */
const undocumented = optional.filter((name) => name !== 'status');

const refusedByInterface: Record<string, OptionsOf> = {
  'an empty object': () => ({ json: {} }),
  'an empty body': () => ({ body: '' }),
  'a body that is cut off': edited((text) => text.slice(0, -1)),
  ...without(required),
  ...mistyped([...required, 'status']),
  'an array': (pet) => ({ json: [pet] }),
  'a string': () => ({ json: 'x' }),
  null: () => ({ json: null }),
  'a name that is a number': withMembers({ name: 5 }),
  'a status that PetStatus does not have': withMembers({ status: 'adopted' }),
  'a status in capitals': withMembers({ status: 'SOLD' }),
  'a status that is empty': withMembers({ status: '' }),
  'a categoryId that is a string': withMembers({ categoryId: '5' }),
  'a categoryId that is a boolean': withMembers({ categoryId: true }),
  'a categoryId that is a fraction': withMembers({ categoryId: 5.5 }),
  'a categoryId above int64': withMembers({ categoryId: int64Bounds.maximum + 1n }),
  'a categoryId below int64': withMembers({ categoryId: int64Bounds.minimum - 1n }),
};

const withTags = (tags: string) => edited((text) => text.replace('}', `,"tags":${tags}}`));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const notJson: Record<string, OptionsOf> = {
  'JSON with a comma too many': edited((text) => text.replace('}', ',}')),
  'JSON with single quotes': edited((text) => text.replaceAll('"', "'")),
  'JSON with something after it': edited((text) => `${text} x`),
  'a number that JSON does not have': edited((text) => text.replace('}', ',"tag":0x10}')),
  // UTF-8 never has the byte 0xFF.
  'bytes that are no UTF-8': (pet) => ({
    body: Buffer.from(stringifyJson(pet).replace('"name":"', '$&ÿ'), 'latin1'),
  }),
};

/** JSON, but not I-JSON, or nested too deeply. */
const notIJson: Record<string, OptionsOf> = {
  'member names that occur twice': edited((text) => text.replace('{', '{"name":"x",')),
  'member names that occur twice in two notations': edited((text) => text.replace('{', '{"n\\u0061me":"x",')),
  'member names that occur twice in a member that is ignored': withTags('[{"a":1,"a":2}]'),
  'a __proto__ member': edited((text) => text.replace('}', ',"__proto__":{"status":"sold"}}')),
  'a __proto__ member in another notation': edited((text) => text.replace('}', ',"\\u005f_proto__":{}}')),
  // The object around the arrays is the first level.
  'nesting deeper than 32 levels': withTags(nested(32)),
  'nesting of 10,000 levels': withTags(nested(10_000)),
};

const withHeader =
  (name: string, value: string): OptionsOf =>
  (pet) => ({ json: pet, headers: { [name]: value } });

const COMPRESSED = { 'Content-Encoding': 'gzip' };
const ofType = (type: string) => withHeader('Content-Type', type);

const mediaTypes = [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json; profile="https://shop.example"',
];
const accepted = Object.fromEntries(mediaTypes.map((type) => [type, ofType(type)]));

const unsupported: Record<string, OptionsOf> = {
  'in UTF-16': ofType('application/json; charset=utf-16'),
  'of text': ofType('text/plain'),
  'of a form': ofType('application/x-www-form-urlencoded'),
  'of XML': ofType('application/xml'),
  'of a media type that begins like JSON': ofType('application/jsonp'),
  'that is compressed': (pet) => ({ body: gzipSync(stringifyJson(pet)), headers: COMPRESSED }),
};

const withKey = (key: string) => withHeader('Idempotency-Key', key);

const invalidKeys: Record<string, OptionsOf> = {
  'has a space inside': withKey('two words'),
  'is empty': withKey(''),
  'has 256 characters': withKey('k'.repeat(256)),
  'has spaces inside its quotes': withKey('" spaced "'),
  'is nothing but quotes': withKey('""'),
  'has a quote that is not closed': withKey('"open'),
};

/** A request with a key that has come with another body before. */
const reuseKey: OptionsOf = async (pet, target) => {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  // Its response is not checked: another version of the interface may refuse this pet.
  await post(target, newPet({ name: 'First' }), headers);
  return { json: pet, headers };
};

function ofCreatePet(
  cites: Sample['cites'],
  expected: Facts['expected'],
  sentenceEnd: string,
  table: Record<string, OptionsOf>,
): Sample[] {
  const facts = { operation: 'createPet', cites, readOnly: false, expected, expectBody: petOf } as const;
  return samplesOf(facts, sentenceEnd, table, async (optionsOf, target, pet = newPet()) => {
    return { method: 'POST', path: '/pets', ...(await optionsOf(pet, target)) };
  });
}

// Another service may draw the line between the two codes elsewhere.
const INVALID = ['invalid_body', 'malformed_json'] as const;
const MALFORMED = ['malformed_json', 'invalid_body'] as const;
const BODY = 'decision: media type and size of a body';
const KEY_NOTATION = 'decision: notation of an Idempotency-Key';
const WHEN_KEY = 'when the Idempotency-Key …';
// The JSON is ASCII, so characters are bytes.
const tooLong = (pet: NewPet) => stringifyJson(pet).padEnd(sizeLimits.body + 1);

export const creationSamples: readonly Sample[] = [
  ...ofCreatePet('interface: createPet', 201, 'for …', { 'a pet': (pet) => ({ json: pet }) }),
  ...ofCreatePet('RFC 9110 section 8.3', 201, 'for a body of media type …', accepted),
  ...ofCreatePet('RFC 9112 section 7.1', 201, 'for …', {
    'a body in chunks, without its length': (pet) => ({ body: stringifyJson(pet), pauseSeconds: 0.1 }),
  }),
  ...ofCreatePet('decision: conditional requests', 201, 'and ignores …', {
    'an If-Match': withHeader('If-Match', '"another"'),
    'an If-None-Match': withHeader('If-None-Match', '*'),
  }),
  ...ofCreatePet('interface: createPet (400)', INVALID, 'for …', refusedByInterface),
  ...ofCreatePet('decision: name', INVALID, 'for …', {
    // The interface document allows these names. Only a decision of the contract refuses them.
    'a name with NUL in it': withMembers({ name: 'a\0b' }),
    'a name with a lone surrogate in it': withMembers({ name: 'a\ud800b' }),
  }),
  ...ofCreatePet('decision: optional properties', INVALID, 'for …', mistyped(undocumented)),
  ...ofCreatePet('decision: JSON bodies', MALFORMED, 'for …', notJson),
  ...ofCreatePet('decision: JSON bodies', INVALID, 'for …', notIJson),
  ...ofCreatePet(BODY, ['body_too_large'], 'for …', {
    'a body of one byte more than 64 KiB': (pet) => ({ body: tooLong(pet) }),
    'a body above 64 KiB in chunks, without its length': (pet) => ({ body: tooLong(pet), pauseSeconds: 0.1 }),
  }),
  ...ofCreatePet(BODY, ['unsupported_media_type'], 'for a body …', unsupported),
  ...ofCreatePet(KEY_NOTATION, ['invalid_idempotency_key'], WHEN_KEY, invalidKeys),
  ...ofCreatePet('decision: same key, other body', ['idempotency_key_reused'], WHEN_KEY, {
    'has come with another body': reuseKey,
  }),
];

/** The samples of createPet that must be refused. */
export const refusals: readonly Sample[] = [...creationSamples, ...sharedSamples].filter(
  ({ operation, status }) => operation === 'createPet' && status >= 400,
);
