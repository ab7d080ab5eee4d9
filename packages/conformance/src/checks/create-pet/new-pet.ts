import { int64Bounds } from '@petstore/contract';
import { type Check, checks, each } from '../../check.ts';
import { expectError } from '../../http/response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { examplePet, newPet, optional, required } from '../../pets.ts';
import type { Target } from '../../target.ts';

const withMembers = (members: Record<string, unknown>): SendOptions => ({
  json: { ...newPet(), ...members },
});

type Property = keyof typeof examplePet;

const without = (names: Property[]) =>
  Object.fromEntries(names.map((name) => [`a pet without a ${name}`, withMembers({ [name]: undefined })]));
const mistyped = (names: Property[]): Record<string, SendOptions> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`a ${name} that is null`, withMembers({ [name]: null })],
      [`a ${name} that is an array`, withMembers({ [name]: [examplePet[name]] })],
    ]),
  );

const invalid: Record<string, SendOptions> = {
  'an empty body': { body: '' },
  'a body that is cut off': { body: JSON.stringify(newPet()).slice(0, -1) },
  ...without(required),
  ...mistyped([...required, 'status']),
  'an empty object': { json: {} },
  'an array': { json: [newPet()] },
  'a string': { json: 'x' },
  null: { json: null },
  'a name that is a number': withMembers({ name: 5 }),
  'a status that PetStatus does not have': withMembers({ status: 'adopted' }),
  'a status in capitals': withMembers({ status: 'Sold' }),
  'a status that is empty': withMembers({ status: '' }),
  'a categoryId that is a string': withMembers({ categoryId: '5' }),
  'a categoryId that is a boolean': withMembers({ categoryId: true }),
  'a categoryId that is a fraction': withMembers({ categoryId: 5.5 }),
  'a categoryId above int64': withMembers({ categoryId: int64Bounds.maximum + 1n }),
  'a categoryId below int64': withMembers({ categoryId: int64Bounds.minimum - 1n }),
};

/** The interface document allows these names, so another service may accept them. */
const badNames: Record<string, SendOptions> = {
  'a name with NUL in it': withMembers({ name: 'a\0b' }),
  'a name with a lone surrogate in it': withMembers({ name: 'a\ud800b' }),
};

const SENTENCE = 'createPet returns 400 for …';

async function refuse(target: Target, options: SendOptions): Promise<void> {
  // A service may report JSON other than an object as malformed.
  expectError(await send(target, 'POST', '/pets', options), 400, 'invalid_body', 'malformed_json');
}

export const invalidNewPet: Check[] = [
  ...checks(
    'interface: createPet (400)',
    each(SENTENCE, invalid, async (target, options) =>
      expectError(await send(target, 'POST', '/pets', options), 400),
    ),
  ),
  ...checks('decision: values of code', {
    'The code of a 400 for an invalid NewPet is invalid_body or malformed_json': async (target) => {
      for (const options of Object.values(invalid)) await refuse(target, options);
    },
  }),
  ...checks('decision: name', each(SENTENCE, badNames, refuse)),
  // `status` is checked above: it is the only optional property of the interface document.
  ...checks(
    'decision: optional properties',
    each(SENTENCE, mistyped(optional.filter((name) => name !== 'status')), refuse),
  ),
];
