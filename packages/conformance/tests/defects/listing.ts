import { decodeCursor, encodeCursor, PetStatus } from '@petstore/contract';
import { type Defect, mistakesAnswer, mistakesHeader, mistakesRequest } from './breaking.ts';

/** The query of the request with a parameter changed; `undefined` removes it. */
function mistakesParameter(name: string, change: (value: string) => string | undefined): Defect['breaks'] {
  return mistakesRequest(({ url: { searchParams } }) => {
    const changed = change(searchParams.get(name) ?? '');
    if (changed === undefined) searchParams.delete(name);
    else if (searchParams.get(name) !== changed) searchParams.set(name, changed);
  });
}

/** The cursor of a next link begins later or earlier by some ids. */
function mistakesCursor(by: bigint): Defect['breaks'] {
  return mistakesAnswer(({ headers }) => {
    const link = headers.get('link') ?? '';
    const [, text = ''] = /cursor=([\w-]+)/.exec(link) ?? [];
    const cursor = decodeCursor(text);
    if (cursor === undefined) return;
    const after = BigInt(cursor.after) + by;
    headers.set('link', link.replace(text, encodeCursor({ ...cursor, after })));
  });
}

const lenient = (accepted: string, meaning: string) => (value: string) =>
  value === accepted ? meaning : value || undefined;

export const listing: Defect[] = [
  {
    defect: 'limit ignored',
    foundBy: 'A page has as many animals as limit says',
    breaks: mistakesParameter('limit', () => undefined),
  },
  {
    defect: 'default 10',
    foundBy: 'Without a limit, a page has 20 animals',
    breaks: mistakesParameter('limit', (value) => value || '10'),
  },
  {
    defect: 'default 50',
    foundBy: 'A page never has more than 20 animals without a limit',
    breaks: mistakesParameter('limit', (value) => value || '50'),
  },
  {
    defect: 'limit 101 accepted',
    foundBy: 'A limit that is 101 is 400',
    breaks: mistakesParameter('limit', lenient('101', '100')),
  },
  {
    defect: 'a limit with leading zeros refused',
    foundBy: 'Zeros before a limit do no harm',
    breaks: mistakesParameter('limit', (value) => (/^0\d/.test(value) ? 'x' : value || undefined)),
  },
  {
    defect: 'a limit with leading zeros read as octal',
    foundBy: 'Zeros before a limit do no harm',
    breaks: mistakesParameter('limit', (value) =>
      /^0[0-7]+$/.test(value) ? `${Number.parseInt(value, 8)}` : value || undefined,
    ),
  },
  {
    defect: '000 taken for no limit',
    foundBy: 'A limit that is nothing but zeros is 400',
    breaks: mistakesParameter('limit', lenient('000', '20')),
  },
  {
    defect: '0x10 accepted',
    foundBy: 'A limit that is hexadecimal (0x10) is 400',
    breaks: mistakesParameter('limit', lenient('0x10', '16')),
  },
  {
    defect: 'a bad limit taken for the default',
    foundBy: 'A limit that is a word is 400',
    breaks: mistakesParameter('limit', (value) => (/^(?:100|[1-9]\d?)$/.test(value) ? value : undefined)),
  },
  {
    defect: 'limits above 50 cut to 50',
    foundBy: 'A limit of 100 is allowed and gives 100 animals',
    breaks: mistakesParameter('limit', (value) => (value === '100' ? '50' : value || undefined)),
  },
  {
    defect: 'one animal more than limit',
    foundBy: 'A page never has more animals than limit=1',
    breaks: mistakesAnswer((answer, { url }) => {
      if (url.search.includes('limit=1')) answer.text = answer.text.replace(/^\[(\{.*\})\]$/, '[$1,$1]');
    }),
  },
  {
    defect: 'status filter ignored',
    foundBy: 'The filter status=sold finds an animal that is sold and no other',
    breaks: mistakesParameter('status', () => undefined),
  },
  {
    defect: 'a bad status taken for none',
    foundBy: 'A status filter is 400 when it is one in capitals',
    breaks: mistakesParameter('status', (value) => PetStatus.safeParse(value).data),
  },
  {
    defect: 'missing status found as available',
    foundBy: 'No status filter finds an animal without a status',
    breaks: (reference) => async (url, init) => reference(url.replace(/(\?|&)status=available/, '$1'), init),
  },
  {
    defect: 'unknown parameters refused',
    foundBy: 'Unknown query parameters are ignored',
    breaks: mistakesRequest(({ url: { searchParams } }) => {
      if (searchParams.has('colour')) searchParams.set('limit', '0');
    }),
  },
  {
    defect: 'the array wrapped in an object',
    foundBy: 'listPets gives a JSON array of Pet',
    breaks: mistakesAnswer((answer) => {
      if (answer.text.startsWith('[')) answer.text = `{"items":${answer.text}}`;
    }),
  },
  {
    defect: 'next link that skips an animal',
    foundBy: 'Walking the pages shows each animal once, while others are added',
    breaks: mistakesCursor(1n),
  },
  {
    defect: 'next link that repeats an animal',
    foundBy: 'Walking the pages shows each animal once, while others are added',
    breaks: mistakesCursor(-1n),
  },
  {
    defect: 'no next link',
    foundBy: 'A page that has more after it links to the next',
    breaks: mistakesAnswer(({ headers, text }) => {
      if (text.startsWith('[')) headers.delete('link');
    }),
  },
  {
    defect: 'next link on the last page',
    foundBy: 'The last page has no next link',
    breaks: mistakesAnswer(({ headers, text }, { url }) => {
      if (text.startsWith('[') && !headers.has('link')) headers.set('link', `<${url.href}>; rel="next"`);
    }),
  },
  {
    defect: 'next link to another origin',
    foundBy: 'A page that has more after it links to the next',
    breaks: mistakesAnswer(({ headers }) => {
      const link = headers.get('link');
      if (link?.includes('"next"')) headers.set('link', link.replace('</', '<http://elsewhere.example/'));
    }),
  },
  {
    defect: 'next link built from X-Forwarded-Host',
    foundBy: 'Links are not built from what the caller says the host is',
    breaks: mistakesAnswer((answer, { headers }) => {
      const host = headers.get('x-forwarded-host');
      const link = answer.headers.get('link');
      if (host !== null && link !== null) answer.headers.set('link', link.replace('</', `<http://${host}/`));
    }),
  },
  {
    defect: 'next link without the limit',
    foundBy: 'The next link keeps the limit',
    breaks: mistakesAnswer(({ headers }) => {
      const link = headers.get('link');
      if (link !== null) headers.set('link', link.replace(/limit=\d+&/, ''));
    }),
  },
  {
    defect: 'newest first',
    foundBy: 'Animals come in the order of their ids',
    breaks: mistakesAnswer((answer) => {
      const pets = answer.text.startsWith('[{') ? answer.text.slice(1, -1).split(/(?<=\}),/) : [];
      if (pets.length > 1) answer.text = `[${pets.reverse().join()}]`;
    }),
  },
  {
    defect: 'a bad cursor taken for none',
    foundBy: 'A cursor that the service never handed out is 400',
    breaks: mistakesParameter('cursor', (text) => decodeCursor(text) && text),
  },
  {
    defect: 'the first of repeated parameters taken',
    foundBy: 'A limit that is repeated is 400',
    breaks: mistakesRequest(({ url: { searchParams } }) => {
      for (const name of ['limit', 'status', 'cursor']) {
        const [first, ...more] = searchParams.getAll(name);
        if (first !== undefined && more.length > 0) searchParams.set(name, first);
      }
    }),
  },
  {
    defect: 'cursor with another status accepted',
    foundBy: 'A cursor with another status filter is 400',
    breaks: mistakesRequest(({ url: { searchParams } }) => {
      if (searchParams.has('cursor')) searchParams.delete('status');
    }),
  },
  {
    defect: 'the filter forgotten in the cursor',
    foundBy: 'A cursor carries its status filter',
    breaks: mistakesParameter('cursor', (text) => {
      const cursor = decodeCursor(text);
      return cursor ? encodeCursor({ after: cursor.after }) : text || undefined;
    }),
  },
  {
    defect: 'listPets deprecated',
    foundBy: 'listPets is not deprecated',
    breaks: mistakesHeader('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
  },
];
