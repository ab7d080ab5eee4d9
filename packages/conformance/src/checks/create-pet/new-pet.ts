import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import { examplePet, newPet, optional, required } from '../../pets.ts';

/** A NewPet of which some properties have another value. */
const withMembers = (members: Record<string, unknown>): SendOptions => ({
  json: { ...newPet(), ...members },
});

/** Bodies that lack a required field, or have a value that is not of its type or none of its enumeration. */
const invalid: Record<string, SendOptions> = {
  'an empty body': { body: '' },
  'a body that is cut off': { body: JSON.stringify(newPet()).slice(0, -1) },
  ...Object.fromEntries(
    required.map((name) => [`a pet without a ${name}`, withMembers({ [name]: undefined })]),
  ),
  ...Object.fromEntries(required.map((name) => [`a ${name} that is null`, withMembers({ [name]: null })])),
  ...Object.fromEntries(
    required.map((name) => [`a ${name} that is an array`, withMembers({ [name]: [examplePet[name]] })]),
  ),
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
};

const OPTIONAL = 'decision: optional properties';

/** Bodies that another service could accept, each with the decision by which ours does not. */
const refused: Record<string, SendOptions & { cites: string }> = {
  'a name with NUL in it': { ...withMembers({ name: 'a\0b' }), cites: 'decision: name' },
  'a name with a lone surrogate in it': { ...withMembers({ name: 'a\ud800b' }), cites: 'decision: name' },
  ...Object.fromEntries(
    optional.flatMap((name) => [
      [`a ${name} that is null`, { ...withMembers({ [name]: null }), cites: OPTIONAL }],
      [`a ${name} that is an array`, { ...withMembers({ [name]: [examplePet[name]] }), cites: OPTIONAL }],
    ]),
  ),
  'a categoryId above int64': {
    ...withMembers({ categoryId: 2n ** 63n }),
    cites: 'decision: range of categoryId',
  },
  'a categoryId below int64': {
    ...withMembers({ categoryId: -(2n ** 63n) - 1n }),
    cites: 'decision: range of categoryId',
  },
};

export const invalidNewPet: Check[] = [
  ...Object.entries(invalid).map(
    ([what, options]): Check => ({
      name: `createPet returns 400 for ${what}`,
      cites: 'interface: createPet (400)',
      readOnly: false,
      run: async (target) => expectError(await send(target, 'POST', '/pets', options), 400),
    }),
  ),
  {
    name: 'The code of a 400 for an invalid NewPet is invalid_body or malformed_json',
    cites: 'decision: values of code',
    readOnly: false,
    run: async (target) => {
      for (const options of Object.values(invalid)) {
        const response = await send(target, 'POST', '/pets', options);
        // A JSON text that is no object may count as malformed.
        expectError(response, 400, 'invalid_body', 'malformed_json');
      }
    },
  },
  ...Object.entries(refused).map(
    ([what, { cites, ...options }]): Check => ({
      name: `createPet returns 400 for ${what}`,
      cites,
      readOnly: false,
      run: async (target) => {
        const response = await send(target, 'POST', '/pets', options);
        expectError(response, 400, 'invalid_body', 'malformed_json');
      },
    }),
  ),
];
