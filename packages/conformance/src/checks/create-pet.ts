import { int64Bounds, sizeLimits } from '@petstore/contract';
import { type Check, type Citation, citesInterface, defineChecks, each } from '../check.ts';
import { expect, expectError, expectStatus } from '../http/response.ts';
import { send } from '../http/send.ts';
import { type NewPet, PetStatus, version } from '../interface.ts';
import { expectCount, expectListed, listing, readToLastPage, resolveSameOrigin } from '../pets/pages.ts';
import {
  addAndFetch,
  addBodyAndFetch,
  addPet,
  defaultOf,
  examplePet,
  expectFetched,
  expectMembers,
  newPet,
  optional,
  petOf,
  post,
  uniquePet,
  unusedId,
} from '../pets/pets.ts';
import { refusals } from '../samples/creation.ts';
import { type Sample, sendSample } from '../samples/sample.ts';

/** Checks that pets with these properties are kept exactly. */
const keeps = (cites: Citation, sentence: string, table: Record<string, Partial<NewPet>>): Check[] =>
  defineChecks(cites, each(sentence, table, addAndFetch));

const names = {
  'an emoji': { name: 'Ñandú 🦤' },
  'spaces around it': { name: '  Rex\t\n' },
  'decomposed characters': { name: 'N\u0303andu\u0301' },
  'compatibility characters': { name: 'ﬁdo ①' },
  'no characters at all': { name: '' },
  'quotes, backslashes and markup': { name: '"\\ </script><b>&amp;\'; --' },
  'line separators, a byte order mark and direction marks': { name: '\u2028\u2029\ufeff\u202e' },
  'control characters': { name: '\u0001\b\u001f\u007f' },
};

/** Not exact as a number of JavaScript. */
const inexact = 2n ** 53n + 1n;

/** A categoryId is any int64, even 0 or a negative integer. */
const int64s = [2n ** 53n - 1n, inexact, int64Bounds.maximum, 0n, -1n, -inexact, int64Bounds.minimum];

/** Integers as JSON Schema understands them. */
const integers: Record<string, [notation: string, categoryId: bigint]> = {
  '5.0 is the integer 5': ['5.0', 5n],
  '5e0 is the integer 5': ['5e0', 5n],
  '50e-1 is the integer 5': ['50e-1', 5n],
  '9007199254740993.0 is the integer 9007199254740993': ['9007199254740993.0', inexact],
};

const leftOut = Object.fromEntries(
  optional.map((name) => {
    const value = defaultOf(name);
    const outcome = value === undefined ? 'stays left out' : `is ${value}`;
    return [`${name} that is left out ${outcome}`, name];
  }),
);

const withMember = (member: string) => JSON.stringify(newPet()).replace('}', `,${member}}`);

/** Members that NewPet does not have. */
const ignored = {
  'an unknown member': withMember('"noProperty":"red"'),
  // The object around the arrays is the first level.
  '32 levels of nesting': withMember(`"tags":${'['.repeat(31)}${']'.repeat(31)}`),
  'several objects that have a member with the same name': withMember('"tags":[{"name":"a"},{"name":"b"}]'),
};

/** A careless service could add the pets of refused requests. */
const expectNothingStored =
  (samples: readonly Sample[]): Check['run'] =>
  async (target) => {
    const pet = uniquePet();
    for (const sample of samples) expectStatus(await sendSample(target, sample, { pet }), sample.status);
    await expectCount(target, pet, 0);
  };

export const createPet: Check[] = [
  ...defineChecks('interface: createPet', {
    'createPet returns 201 with the sent pet and an id, and getPet returns that pet': (target) =>
      addAndFetch(target, examplePet),
    'createPet adds exactly one pet each time': async (target) => {
      const pet = uniquePet();
      for (const count of [1, 2]) {
        await addPet(target, pet);
        await expectCount(target, pet, count);
      }
    },
    'createPet does not use an id in the body as the id of the pet': async (target) => {
      for (const id of [(await addPet(target)).id, unusedId()]) {
        const response = await send(target, 'POST', '/pets', { json: { id, ...newPet({ name: 'Second' }) } });
        // The interface document leaves open whether an unknown member is invalid.
        if (response.status === 400) expectError(response, 400);
        else expect(response, petOf(response, 201).id !== id, 'another id than the one in the body', id);
      }
    },
    'createPet adds no pet where the interface document requires an error': expectNothingStored(
      refusals.filter(citesInterface),
    ),
  }),
  ...defineChecks('interface: Pet (unique identifier)', {
    'Each pet has an id of its own': async (target) => {
      const pets = [await addPet(target, { name: 'First' }), await addPet(target, { name: 'Second' })];
      for (const pet of pets) await expectFetched(target, pet);
    },
  }),
  ...keeps(
    'interface: PetStatus',
    'createPet adds a pet with status …',
    Object.fromEntries(PetStatus.options.map((status) => [status, { status }])),
  ),
  ...defineChecks('interface: listPets', {
    'listPets returns the values of getPet': async (target) => {
      // Values that a service could change in its lists. A change that the 201 also has is no fault here.
      for (const members of [
        examplePet,
        { name: 'x'.repeat(2_000), status: 'pending' as const },
        names['spaces around it'],
        { categoryId: inexact, status: 'available' as const },
        { categoryId: 0 },
      ]) {
        const response = await post(target, newPet(members));
        // The interface document leaves open which names are invalid. Other checks fail for a service that refuses
        // a valid status or categoryId.
        if (response.status === 400) continue;
        const pet = petOf(response, 201);
        await expectFetched(target, pet);
        // Without a status in the 201, the list must have none.
        await expectListed(target, { status: undefined, ...pet });
      }
    },
  }),
  ...keeps(
    'interface: NewPet (int64)',
    'The categoryId … is kept exactly',
    Object.fromEntries(int64s.map((categoryId) => [`${categoryId}`, { categoryId }])),
  ),
  ...defineChecks(
    'decision: integers in a body',
    each('The categoryId …', integers, (target, [notation, categoryId]) =>
      addBodyAndFetch(target, `{"name":"int64","categoryId":${notation}}`, { categoryId }),
    ),
  ),
  ...keeps('decision: name', 'A name with … is kept exactly', names),
  ...defineChecks(
    'decision: members that NewPet does not have',
    each('createPet ignores …', ignored, async (target, text) => {
      const response = await post(target, text);
      petOf(response, 201);
      expect(response, !/noProperty|tags/.test(response.text), 'a Pet without the unknown members');
    }),
  ),
  ...defineChecks('decision: media type and size of a body', {
    'createPet accepts a body of 64 KiB': async (target) => {
      const { length } = JSON.stringify(newPet({ name: '' }));
      await addAndFetch(target, { name: 'x'.repeat(sizeLimits.body - length) });
    },
  }),
  ...defineChecks('decision: 201', {
    'Location is the URL of the new pet': async (target) => {
      const response = await post(target, newPet({ name: 'Located' }));
      const header = response.headers.get('location');
      const location = resolveSameOrigin(response, header);
      expect(response, location !== undefined, 'a Location of this origin', header);
      const { pathname } = new URL(location);
      const { id } = petOf(response, 201);
      const isOfPet = pathname.endsWith(`${version.prefix}/pets/${id}`);
      expect(response, isOfPet, 'a Location with the version prefix and the id', pathname);
      const fetched = await send(target, 'GET', location);
      expectMembers(fetched, petOf(fetched, 200), { id });
    },
  }),
  ...defineChecks('decision: other failures', {
    'createPet adds no pet where only a decision requires an error': expectNothingStored(
      refusals.filter((sample) => !citesInterface(sample)),
    ),
  }),
  ...defineChecks('decision: optional properties', {
    ...each('A …', leftOut, async (target, name) => {
      const expected: Partial<NewPet> = { [name]: defaultOf(name) };
      // `newPet` fills in the defaults.
      const body = JSON.stringify({ ...newPet(), [name]: undefined });
      const { id } = await addBodyAndFetch(target, body, expected);
      await expectListed(target, { ...expected, id });
    }),
    'A status filter returns no pet without a status': async (target) => {
      const { id } = await addPet(target);
      for (const status of PetStatus.options) {
        await readToLastPage(target, listing(`&status=${status}`), ({ response, pets }) => {
          const isFound = pets.some((pet) => pet.id === id);
          expect(response, !isFound, 'no pet without a status in a listing with a filter', `the pet ${id}`);
        });
      }
    },
  }),
];
