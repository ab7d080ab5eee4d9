import { accepts, type Defect, mistakesAnswer, mistakesHeader, mistakesRequest } from './breaking.ts';

const refusesJson = (headers: Headers) => (headers.get('accept') ?? '').includes('text/html');

export const fetching: Defect[] = [
  {
    defect: 'getPet gives another name than was added',
    foundBy: 'getPet gives the animal that was added',
    breaks: mistakesAnswer((answer) => {
      if (answer.text.startsWith('{"id"') && answer.status === 200) {
        answer.text = answer.text.replace(/"name":"[^"]*"/, '"name":"Other"');
      }
    }),
  },
  {
    defect: '200 for an unknown animal',
    foundBy: 'An id that no animal has is 404',
    breaks: accepts(({ text }) => text.includes('"pet_not_found"')),
  },
  {
    defect: '500 for a huge petId',
    foundBy: 'A petId that is huge is 404',
    breaks: mistakesAnswer((answer, { url }) => {
      if (/\/\d{20,}$/.test(url.pathname)) answer.status = 500;
    }),
  },
  {
    defect: '400 for a petId that is no int64',
    foundBy: 'A petId that is a word is 404',
    breaks: mistakesAnswer((answer, { url }) => {
      if (answer.status === 404 && !/\/-?\d+$/.test(url.pathname)) answer.status = 400;
    }),
  },
  {
    defect: 'petId read with a sign and leading zeros',
    foundBy: 'An id has one notation: with a sign, zeros or an exponent it is 404',
    breaks: mistakesRequest(({ url }) => {
      url.pathname = url.pathname.replace(/\/pets\/[+0]+(?=\d)/, '/pets/');
    }),
  },
  {
    defect: 'Sunset missing',
    foundBy: 'getPet says that it goes on 5 December 2030, on a 200',
    breaks: mistakesHeader('Sunset'),
  },
  {
    defect: 'Deprecation missing',
    foundBy: 'getPet says that it is deprecated, on a 404',
    breaks: mistakesHeader('Deprecation'),
  },
  {
    defect: 'Links of getPet missing',
    foundBy: 'getPet names GET /pets as its replacement, on a 304',
    breaks: mistakesAnswer(({ headers }) => {
      if (headers.has('sunset')) headers.delete('link');
    }),
  },
  {
    defect: 'ETag missing',
    foundBy: 'getPet with If-None-Match is 304 without a body when nothing changed',
    breaks: mistakesHeader('ETag'),
  },
  {
    defect: 'refusals and creations without Cache-Control',
    foundBy: 'A cache may not keep a refusal',
    breaks: mistakesAnswer(({ headers }) => {
      if (headers.get('cache-control') === 'no-store') headers.delete('cache-control');
    }),
  },
  {
    defect: 'the answer of createPet may be kept',
    foundBy: 'A cache may not keep the answer of createPet',
    breaks: mistakesAnswer(({ status, headers }) => {
      if (status === 201) headers.set('cache-control', 'private, no-cache');
    }),
  },
  {
    defect: 'Cache-Control public',
    foundBy: 'listPets may be kept by a private cache that revalidates',
    breaks: mistakesHeader('Cache-Control', 'public, max-age=60'),
  },
  {
    defect: '304 never given',
    foundBy: 'getPet with If-None-Match is 304 without a body when nothing changed',
    breaks: mistakesRequest(({ headers }) => headers.delete('if-none-match')),
  },
  {
    defect: 'If-None-Match compared as a whole',
    foundBy: 'listPets understands several entity tags and weak ones in If-None-Match',
    breaks: mistakesRequest(({ headers }) => {
      if (headers.get('if-none-match')?.includes(',')) headers.delete('if-none-match');
    }),
  },
  {
    defect: '304 refused to a caller that sends Cache-Control: no-cache',
    foundBy: 'getPet is 304 also for a caller that sends Cache-Control: no-cache, as fetch does',
    breaks: mistakesRequest(({ headers }) => {
      if (headers.get('cache-control') === 'no-cache') headers.delete('if-none-match');
    }),
  },
  {
    defect: '304 for any entity tag',
    foundBy: 'listPets with another entity tag in If-None-Match is 200',
    breaks: mistakesAnswer((answer, { headers }) => {
      if (headers.has('if-none-match')) answer.status = 304;
    }),
  },
  {
    defect: 'HEAD not known',
    foundBy: 'HEAD gives the status and header fields of listPets without the body',
    breaks: mistakesAnswer((answer, { method }) => {
      if (method === 'HEAD') answer.status = 405;
    }),
  },
  {
    defect: 'HEAD without the deprecation',
    foundBy: 'HEAD gives the status and header fields of getPet without the body',
    breaks: mistakesAnswer(({ headers }, { method }) => {
      if (method === 'HEAD') headers.delete('deprecation');
    }),
  },
  {
    defect: 'HEAD of a wrong request is 200',
    foundBy: 'HEAD gives the status and header fields of a refusal without the body',
    breaks: mistakesAnswer((answer, { method }) => {
      if (method === 'HEAD') answer.status = 200;
    }),
  },
  {
    defect: '406 for a caller that does not accept JSON',
    foundBy: 'Answers are JSON also for a caller that does not accept it',
    breaks: mistakesAnswer((answer, { headers }) => {
      if (refusesJson(headers)) answer.status = 406;
    }),
  },
  {
    defect: 'HTML for a caller that does not accept JSON',
    foundBy: 'An animal is added also by a caller that does not accept JSON',
    breaks: mistakesAnswer((answer, { headers }) => {
      if (refusesJson(headers)) answer.headers.set('content-type', 'text/html; charset=utf-8');
    }),
  },
];
