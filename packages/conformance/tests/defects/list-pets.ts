import { decodeCursor, encodeCursor, PetStatus } from '@petstore/contract';
import { changesHeader, changesParameter, changesRequest, changesResponse, type Defect } from './defect.ts';

/** The cursor of a next link begins later or earlier by some ids. */
function shiftsCursor(by: bigint): Defect['breaks'] {
  return changesResponse(({ headers }) => {
    const link = headers.get('link') ?? '';
    const [, text = ''] = /cursor=([\w-]+)/.exec(link) ?? [];
    const cursor = decodeCursor(text);
    if (cursor === undefined) return;
    const after = BigInt(cursor.after) + by;
    headers.set('link', link.replace(text, encodeCursor({ ...cursor, after })));
  });
}

/**
 * Every third pet gets its id when its request arrives, but is in the listing only some time later, just
 * before its response: as in a database where a transaction commits after one with a greater id.
 */
const commitsLate: Defect['breaks'] = (reference) => {
  const uncommitted = new Set<string>();
  let added = 0;
  return async (url, init) => {
    const response = await reference(url, init);
    const text = await response.text();
    const [, id = ''] = /^\{"id":(\d+)/.exec(text) ?? [];
    added += 1;
    if (init.method === 'POST' && id !== '' && added % 3 === 0) {
      uncommitted.add(id);
      // In turns of the event loop: on a busy machine a single timer may end before a reader had one.
      for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
      uncommitted.delete(id);
    }
    const isHidden = (pet: string) => uncommitted.has(/"id":(\d+)/.exec(pet)?.[1] ?? '');
    const pets = text.startsWith('[') ? text.slice(1, -1).split(/(?<=\}),/) : [];
    const listing = `[${pets.filter((pet) => !isHidden(pet)).join(',')}]`;
    const isBodiless = response.status === 304 || init.method === 'HEAD';
    return new Response(isBodiless ? null : pets.length > 0 ? listing : text, response);
  };
};

export const listPetsDefects: Defect[] = [
  {
    defect: 'status filter ignored',
    foundBy: 'The filter status=sold returns a pet that is sold and no other',
    breaks: changesParameter('status', () => undefined),
  },
  {
    defect: 'a bad status taken for none',
    foundBy: 'listPets returns 400 when status is one in capitals',
    breaks: changesParameter('status', (value) => PetStatus.safeParse(value).data),
  },
  {
    defect: 'missing status found as available',
    foundBy: 'No status filter returns a pet without a status',
    breaks: (reference) => async (url, init) => reference(url.replace(/(\?|&)status=available/, '$1'), init),
  },
  {
    defect: 'unknown parameters refused',
    foundBy: 'listPets ignores unknown query parameters',
    breaks: changesRequest(({ url: { searchParams } }) => {
      if (searchParams.has('colour')) searchParams.set('limit', '0');
    }),
  },
  {
    defect: 'the array wrapped in an object',
    foundBy: 'listPets returns a JSON array of Pet',
    breaks: changesResponse((response) => {
      if (response.text.startsWith('[')) response.text = `{"items":${response.text}}`;
    }),
  },
  {
    defect: 'pets that appear in the listing later than pets with greater ids',
    foundBy: 'A reader of all pages sees every acknowledged pet once, in ascending order, while others write',
    breaks: commitsLate,
  },
  {
    defect: 'next link that skips a pet',
    foundBy: 'A reader of all pages sees every acknowledged pet once, in ascending order, while others write',
    breaks: shiftsCursor(1n),
  },
  {
    defect: 'next link that repeats a pet',
    foundBy: 'A reader of all pages sees every acknowledged pet once, in ascending order, while others write',
    breaks: shiftsCursor(-1n),
  },
  {
    defect: 'no next link',
    foundBy: 'A page that is not the last links to the next',
    breaks: changesResponse(({ headers, text }) => {
      if (text.startsWith('[')) headers.delete('link');
    }),
  },
  {
    defect: 'next link on the last page',
    foundBy: 'The last page has no next link',
    breaks: changesResponse(({ headers, text }, { url }) => {
      if (text.startsWith('[') && !headers.has('link')) headers.set('link', `<${url.href}>; rel="next"`);
    }),
  },
  {
    defect: 'next link to another origin',
    foundBy: 'A page that is not the last links to the next',
    breaks: changesResponse(({ headers }) => {
      const link = headers.get('link');
      if (link?.includes('"next"')) headers.set('link', link.replace('</', '<http://elsewhere.example/'));
    }),
  },
  {
    defect: 'next link built from X-Forwarded-Host',
    foundBy: 'Links do not contain a host that the request names',
    breaks: changesResponse((response, { headers }) => {
      const host = headers.get('x-forwarded-host');
      const link = response.headers.get('link');
      if (host !== null && link !== null)
        response.headers.set('link', link.replace('</', `<http://${host}/`));
    }),
  },
  {
    defect: 'next link without the limit',
    foundBy: 'The next link keeps the limit',
    breaks: changesResponse(({ headers }) => {
      const link = headers.get('link');
      if (link !== null) headers.set('link', link.replace(/limit=\d+&/, ''));
    }),
  },
  {
    defect: 'newest first',
    foundBy: 'Pets are listed in ascending order of their ids',
    breaks: changesResponse((response) => {
      const pets = response.text.startsWith('[{') ? response.text.slice(1, -1).split(/(?<=\}),/) : [];
      if (pets.length > 1) response.text = `[${pets.reverse().join()}]`;
    }),
  },
  {
    defect: 'a bad cursor taken for none',
    foundBy: 'listPets returns 400 when cursor is one that the service never returned',
    breaks: changesParameter('cursor', (text) => decodeCursor(text) && text),
  },
  {
    defect: 'the first of repeated parameters taken',
    foundBy: 'listPets returns 400 when limit is repeated',
    breaks: changesRequest(({ url: { searchParams } }) => {
      for (const name of ['limit', 'status', 'cursor']) {
        const [first, ...more] = searchParams.getAll(name);
        if (first !== undefined && more.length > 0) searchParams.set(name, first);
      }
    }),
  },
  {
    defect: 'cursor with another status accepted',
    foundBy: 'listPets returns 400 when status is not that of the cursor',
    breaks: changesRequest(({ url: { searchParams } }) => {
      if (searchParams.has('cursor')) searchParams.delete('status');
    }),
  },
  {
    defect: 'the filter missing in the cursor',
    foundBy: 'A cursor carries its status filter',
    breaks: changesParameter('cursor', (text) => {
      const cursor = decodeCursor(text);
      return cursor ? encodeCursor({ after: cursor.after }) : text || undefined;
    }),
  },
  {
    defect: 'listPets deprecated',
    foundBy: 'listPets is not deprecated',
    breaks: changesHeader('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
  },
];
