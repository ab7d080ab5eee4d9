import { accepts, changesBody, changesRequest, changesResponse, type Defect } from './defect.ts';

export const bodyDefects: Defect[] = [
  {
    defect: 'categoryId rounded above 2^53',
    foundBy: 'The categoryId 9007199254740993 is kept exactly',
    breaks: changesResponse((response) => {
      response.text = response.text.replaceAll(/"categoryId":(-?\d+)/g, (_member, digits) => {
        return `"categoryId":${BigInt(Number(digits))}`;
      });
    }),
  },
  {
    defect: 'categoryId not below 1',
    foundBy: 'The categoryId -1 is kept exactly',
    breaks: changesBody((text) => text.replace(/"categoryId":(?:0|-\d+)\}/, '"categoryId":1}')),
  },
  {
    defect: 'categoryId kept in 32 bits',
    foundBy: 'The categoryId 9007199254740991 is kept exactly',
    breaks: changesBody((text) => text.replace(/"categoryId":\d{10,}\}/, '"categoryId":2147483647}')),
  },
  {
    defect: 'only digits taken for an integer',
    foundBy: 'The categoryId 5.0 is the integer 5',
    breaks: changesBody((text) => text.replace(/("categoryId":)([\d.e-]*[.e][\d.e-]*)/, '$1"$2"')),
  },
  {
    defect: 'string categoryId accepted',
    foundBy: 'createPet returns 400 for a categoryId that is a string',
    breaks: changesBody((text) => text.replace(/"categoryId":"(\d+)"/, '"categoryId":$1')),
  },
  {
    defect: 'invalid bodies accepted',
    foundBy: 'createPet returns 400 for a pet without a name',
    breaks: accepts(({ text }) => text.includes('"invalid_body"')),
  },
  {
    defect: 'a code of its own for invalid bodies',
    foundBy: 'The code of a 400 for an invalid NewPet is invalid_body or malformed_json',
    breaks: changesResponse((response) => {
      response.text = response.text.replace('"invalid_body"', '"E_BODY"');
    }),
  },
  {
    defect: 'broken JSON repaired',
    foundBy: 'createPet returns 400 for JSON with a comma too many',
    breaks: accepts(({ text }) => text.includes('"malformed_json"')),
  },
  {
    defect: 'the last of two members with one name taken',
    foundBy: 'createPet returns 400 for member names that occur twice',
    breaks: accepts((_response, { text }) => text.includes('"name":"x","name":"y"')),
  },
  {
    defect: 'repeated member names compared as they are written',
    foundBy: 'createPet returns 400 for member names that occur twice in two notations',
    breaks: accepts((_response, { text }) => text.includes('"n\\u0061me"')),
  },
  {
    defect: 'repeated member names looked for in the outermost object alone',
    foundBy: 'createPet returns 400 for member names that occur twice in a member that is ignored',
    breaks: accepts((_response, { text }) => text.includes('{"a":1,"a":2}')),
  },
  {
    defect: 'repeated member names looked for in the whole body',
    foundBy: 'createPet accepts a body in which several objects have a member of one name',
    breaks: changesResponse((response, { text }) => {
      if (/"name":.*"name":/.test(text)) response.status = 400;
    }),
  },
  {
    defect: 'a __proto__ member accepted',
    foundBy: 'createPet returns 400 for a __proto__ member',
    breaks: accepts((_response, { text }) => text.includes('"__proto__"')),
  },
  {
    defect: 'a __proto__ member looked for in the text',
    foundBy: 'createPet returns 400 for a __proto__ member in another notation',
    breaks: accepts(({ status }, { text }) => status === 400 && text.includes('_proto__"')),
  },
  {
    defect: 'nesting of 100 levels accepted',
    foundBy: 'createPet returns 400 for nesting deeper than 32 levels',
    breaks: accepts((_response, { text }) => /\[{32}\]/.test(text)),
  },
  {
    defect: '500 for a body that overflows the stack of its reader',
    foundBy: 'createPet returns 400 for nesting of 10,000 levels',
    breaks: changesResponse((response, { text }) => {
      if (text.includes('['.repeat(5_000))) response.status = 500;
    }),
  },
  {
    defect: 'nesting of more than 16 levels refused',
    foundBy: 'createPet accepts a body of 32 levels of nesting',
    breaks: changesResponse((response, { text }) => {
      if (text.includes('['.repeat(16))) response.status = 400;
    }),
  },
  {
    defect: 'compressed bodies inflated',
    foundBy: 'createPet returns 415 for a compressed body',
    breaks: accepts((_response, { headers }) => headers.has('content-encoding')),
  },
  {
    defect: '500 for broken JSON',
    foundBy: 'createPet returns 400 for a body that is cut off',
    breaks: changesResponse((response) => {
      if (response.text.includes('"malformed_json"')) response.status = 500;
    }),
  },
  {
    defect: 'any media type accepted',
    foundBy: 'createPet returns 415 for a body of media type text/plain',
    breaks: changesRequest(({ headers }) => headers.set('Content-Type', 'application/json')),
  },
  {
    defect: 'media type compared as it is',
    foundBy: 'createPet accepts application/json with charset=utf-8 and in capitals',
    breaks: changesRequest(({ headers }) => {
      if (headers.get('content-type')?.includes(';')) headers.set('content-type', 'text/plain');
    }),
  },
  {
    defect: 'bodies of 64 KiB refused',
    foundBy: 'createPet accepts a body of 64 KiB',
    breaks: changesResponse((response, { text }) => {
      if (text.length === 64 * 1024) response.status = 413;
    }),
  },
  {
    defect: 'bodies of any size accepted',
    foundBy: 'createPet returns 413 for a body of one byte more than 64 KiB',
    breaks: accepts(({ status }) => status === 413),
  },
];
