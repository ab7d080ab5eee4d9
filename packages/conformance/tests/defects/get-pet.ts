import { accepts, changesHeader, changesRequest, changesResponse, type Defect } from './defect.ts';

const refusesJson = (headers: Headers) => (headers.get('accept') ?? '').includes('text/html');

export const getPetDefects: Defect[] = [
  {
    defect: 'getPet gives another name than was added',
    foundBy: 'getPet returns the pet that was added',
    breaks: changesResponse((response) => {
      if (response.text.startsWith('{"id"') && response.status === 200) {
        response.text = response.text.replace(/"name":"[^"]*"/, '"name":"Other"');
      }
    }),
  },
  {
    defect: '200 for an unknown pet',
    foundBy: 'getPet returns 404 for an id that no pet has',
    breaks: accepts(({ text }) => text.includes('"pet_not_found"')),
  },
  {
    defect: 'a code of its own for an unknown pet',
    foundBy: 'The code of a 404 for an id that no pet has is pet_not_found',
    breaks: changesResponse((response) => {
      response.text = response.text.replace('"pet_not_found"', '"E_PET"');
    }),
  },
  {
    defect: '500 for a huge petId',
    foundBy: 'getPet returns 404 when petId is huge',
    breaks: changesResponse((response, { url }) => {
      if (/\/\d{20,}$/.test(url.pathname)) response.status = 500;
    }),
  },
  {
    defect: '400 for a petId that is no int64',
    foundBy: 'getPet returns 404 when petId is a word',
    breaks: changesResponse((response, { url }) => {
      if (response.status === 404 && !/\/-?\d+$/.test(url.pathname)) response.status = 400;
    }),
  },
  {
    defect: 'petId read with a sign and leading zeros',
    foundBy: 'getPet returns 404 for an id with a sign, zeros or an exponent',
    breaks: changesRequest(({ url }) => {
      url.pathname = url.pathname.replace(/\/pets\/[+0]+(?=\d)/, '/pets/');
    }),
  },
  {
    defect: 'Sunset missing',
    foundBy: 'getPet announces its removal on 5 December 2030 in a 200',
    breaks: changesHeader('Sunset'),
  },
  {
    defect: 'Deprecation missing',
    foundBy: 'getPet announces its deprecation in a 404',
    breaks: changesHeader('Deprecation'),
  },
  {
    defect: 'Links of getPet missing',
    foundBy: 'getPet links to GET /pets as its successor in a 304',
    breaks: changesResponse(({ headers }) => {
      if (headers.has('sunset')) headers.delete('link');
    }),
  },
  {
    defect: 'ETag missing',
    foundBy: 'getPet returns 304 without a body when If-None-Match has the current entity tag',
    breaks: changesHeader('ETag'),
  },
  {
    defect: 'errors and responses of createPet without Cache-Control',
    foundBy: 'A cache may not store an error',
    breaks: changesResponse(({ headers }) => {
      if (headers.get('cache-control') === 'no-store') headers.delete('cache-control');
    }),
  },
  {
    defect: 'the response of createPet may be kept',
    foundBy: 'A cache may not store the response of createPet',
    breaks: changesResponse(({ status, headers }) => {
      if (status === 201) headers.set('cache-control', 'private, no-cache');
    }),
  },
  {
    defect: 'Cache-Control public',
    foundBy: 'listPets may be stored by a private cache that revalidates',
    breaks: changesHeader('Cache-Control', 'public, max-age=60'),
  },
  {
    defect: '304 never given',
    foundBy: 'getPet returns 304 without a body when If-None-Match has the current entity tag',
    breaks: changesRequest(({ headers }) => headers.delete('if-none-match')),
  },
  {
    defect: 'If-None-Match compared as a whole',
    foundBy: 'listPets returns 304 when If-None-Match has several entity tags or weak ones',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('if-none-match')?.includes(',')) headers.delete('if-none-match');
    }),
  },
  {
    defect: '304 refused to a caller that sends Cache-Control: no-cache',
    foundBy: 'getPet returns 304 also when the request has Cache-Control: no-cache, as fetch sends it',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('cache-control') === 'no-cache') headers.delete('if-none-match');
    }),
  },
  {
    defect: 'If-Match ignored',
    foundBy: 'getPet returns 412 when If-Match has another entity tag',
    breaks: changesRequest(({ headers }) => headers.delete('if-match')),
  },
  {
    defect: 'If-Match compared as a whole',
    foundBy: 'listPets returns 200 when If-Match has the current entity tag or *',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('if-match')?.includes(',')) headers.set('if-match', '"another"');
    }),
  },
  {
    defect: 'a petId that is not percent-decoded',
    foundBy: 'getPet returns a pet whose id is percent-encoded',
    breaks: changesRequest(({ url }) => {
      url.pathname = url.pathname.replaceAll('%', '%25');
    }),
  },
  {
    defect: '304 for any entity tag',
    foundBy: 'listPets returns 200 when If-None-Match has another entity tag',
    breaks: changesResponse((response, { headers }) => {
      if (headers.has('if-none-match')) response.status = 304;
    }),
  },
  {
    defect: 'HEAD not known',
    foundBy: 'HEAD returns the status and headers of listPets without the body',
    breaks: changesResponse((response, { method }) => {
      if (method === 'HEAD') response.status = 405;
    }),
  },
  {
    defect: 'HEAD without the deprecation',
    foundBy: 'HEAD returns the status and headers of getPet without the body',
    breaks: changesResponse(({ headers }, { method }) => {
      if (method === 'HEAD') headers.delete('deprecation');
    }),
  },
  {
    defect: 'HEAD of a wrong request is 200',
    foundBy: 'HEAD returns the status and headers of an error without the body',
    breaks: changesResponse((response, { method }) => {
      if (method === 'HEAD') response.status = 200;
    }),
  },
  {
    defect: '406 for a caller that does not accept JSON',
    foundBy: 'Responses are JSON also when the request does not accept it',
    breaks: changesResponse((response, { headers }) => {
      if (refusesJson(headers)) response.status = 406;
    }),
  },
  {
    defect: 'HTML for a caller that does not accept JSON',
    foundBy: 'createPet adds a pet also when the request does not accept JSON',
    breaks: changesResponse((response, { headers }) => {
      if (refusesJson(headers)) response.headers.set('content-type', 'text/html; charset=utf-8');
    }),
  },
];
