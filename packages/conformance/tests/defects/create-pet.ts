import { parseJson, stringifyJson } from '@petstore/contract';
import { defaultOf, examplePet, optional } from '../../src/pets.ts';
import { changesHeader, changesRequest, changesResponse, type Defect } from './defect.ts';

/** The service gives the pets in its responses other properties. */
const changesPets = (change: (pet: Record<string, unknown>) => void): Defect['breaks'] =>
  changesResponse((response) => {
    const body: unknown = response.text === '' ? undefined : parseJson(response.text);
    for (const pet of [body].flat()) if (isPet(pet)) change(pet);
    if (response.text !== '') response.text = stringifyJson(body);
  });

const isPet = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'categoryId' in value;

export const createPetDefects: Defect[] = [
  {
    defect: '200 in place of 201',
    foundBy: 'createPet returns 201 with the pet that was sent and an id',
    breaks: changesResponse((response) => {
      if (response.status === 201) response.status = 200;
    }),
  },
  {
    defect: 'status not stored',
    foundBy: 'createPet adds a pet with status pending',
    breaks: changesPets((pet) => delete pet.status),
  },
  ...optional.flatMap((name): Defect[] => [
    {
      defect: `${name} not stored`,
      foundBy: 'createPet returns 201 with the pet that was sent and an id',
      breaks: changesPets((pet) => delete pet[name]),
    },
    {
      defect: `missing ${name} turned into that of the example`,
      foundBy: `A ${name} that is left out ${defaultOf(name) === undefined ? 'stays left out' : `is ${defaultOf(name)}`}`,
      breaks: changesPets((pet) => {
        if ((pet[name] ?? defaultOf(name)) === defaultOf(name)) pet[name] = examplePet[name];
      }),
    },
  ]),
  {
    defect: 'Location missing',
    foundBy: 'Location is the URL of the new pet',
    breaks: changesHeader('Location'),
  },
  {
    defect: 'Location of another pet',
    foundBy: 'Location is the URL of the new pet',
    breaks: changesHeader('Location', '/v1/pets/0'),
  },
  {
    defect: 'URLs without the version prefix',
    foundBy: 'Location is the URL of the new pet',
    breaks: changesHeader('Location', '/pets/1'),
  },
  {
    defect: 'id taken from the body',
    foundBy: 'An id in the body is not taken for that of the pet',
    breaks: changesResponse((response, { text }) => {
      const [, id] = /^\{"id":(\d+)/.exec(text) ?? [];
      if (id !== undefined) response.text = response.text.replace(/"id":\d+/, `"id":${id}`);
    }),
  },
  {
    defect: 'one id for all pets',
    foundBy: 'Each pet has an id of its own',
    breaks: changesResponse((response) => {
      if (response.status === 201) response.text = response.text.replace(/"id":\d+/, '"id":1');
    }),
  },
  {
    defect: 'equal pets merged',
    foundBy: 'Every POST without an Idempotency-Key adds a pet',
    breaks: changesRequest(({ headers, method, text }) => {
      if (method === 'POST' && text.includes('Conformance'))
        headers.set('Idempotency-Key', `"${text.length}"`);
    }),
  },
  {
    defect: 'unknown members given back',
    foundBy: 'createPet ignores members that NewPet does not have',
    breaks: changesResponse((response, { text }) => {
      if (text.includes('noProperty')) response.text = response.text.replace(/\}$/, ',"noProperty":"red"}');
    }),
  },
  {
    defect: 'new pets kept from the listing',
    foundBy: 'listPets returns a pet that was added',
    breaks: changesResponse((response) => {
      if (response.text.startsWith('[')) response.text = '[]';
    }),
  },
];
