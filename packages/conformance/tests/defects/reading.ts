import { accepts, type Defect, mistakesAnswer, mistakesBody, mistakesRequest } from './breaking.ts';

export const reading: Defect[] = [
  {
    defect: 'categoryId rounded above 2^53',
    foundBy: 'The categoryId 9007199254740993 is kept exactly',
    breaks: mistakesAnswer((answer) => {
      answer.text = answer.text.replaceAll(/"categoryId":(-?\d+)/g, (_member, digits) => {
        return `"categoryId":${BigInt(Number(digits))}`;
      });
    }),
  },
  {
    defect: 'categoryId not below 1',
    foundBy: 'The categoryId -1 is kept exactly',
    breaks: mistakesBody((text) => text.replace(/"categoryId":(?:0|-\d+)\}/, '"categoryId":1}')),
  },
  {
    defect: 'categoryId kept in 32 bits',
    foundBy: 'The categoryId 9007199254740991 is kept exactly',
    breaks: mistakesBody((text) => text.replace(/"categoryId":\d{10,}\}/, '"categoryId":2147483647}')),
  },
  {
    defect: 'only digits taken for an integer',
    foundBy: 'The categoryId 5.0 is the integer 5',
    breaks: mistakesBody((text) => text.replace(/("categoryId":)([\d.e-]*[.e][\d.e-]*)/, '$1"$2"')),
  },
  {
    defect: 'string categoryId accepted',
    foundBy: 'createPet refuses a categoryId that is a string with 400',
    breaks: mistakesBody((text) => text.replace(/"categoryId":"(\d+)"/, '"categoryId":$1')),
  },
  {
    defect: 'invalid bodies accepted',
    foundBy: 'createPet refuses an animal without a name with 400',
    breaks: accepts(({ text }) => text.includes('"invalid_body"')),
  },
  {
    defect: 'broken JSON repaired',
    foundBy: 'createPet refuses member names that occur twice with 400',
    breaks: accepts(({ text }) => text.includes('"malformed_json"')),
  },
  {
    defect: 'repeated member names compared as they are written',
    foundBy: 'createPet refuses member names that occur twice in two notations with 400',
    breaks: accepts((_answer, { text }) => text.includes('"n\\u0061me"')),
  },
  {
    defect: 'repeated member names looked for in the outermost object alone',
    foundBy: 'createPet refuses member names that occur twice in a member that is ignored with 400',
    breaks: accepts((_answer, { text }) => text.includes('{"a":1,"a":2}')),
  },
  {
    defect: 'repeated member names looked for in the whole body',
    foundBy: 'createPet accepts a body in which several objects have a member of one name',
    breaks: mistakesAnswer((answer, { text }) => {
      if (/"name":.*"name":/.test(text)) answer.status = 400;
    }),
  },
  {
    defect: 'a __proto__ member accepted',
    foundBy: 'createPet refuses a __proto__ member with 400',
    breaks: accepts((_answer, { text }) => text.includes('"__proto__"')),
  },
  {
    defect: 'a __proto__ member looked for in the text',
    foundBy: 'createPet refuses a __proto__ member in another notation with 400',
    breaks: accepts(({ status }, { text }) => status === 400 && text.includes('_proto__"')),
  },
  {
    defect: 'nesting of 100 levels accepted',
    foundBy: 'createPet refuses nesting deeper than 32 levels with 400',
    breaks: accepts((_answer, { text }) => /\[{32}\]/.test(text)),
  },
  {
    defect: '500 for a body that overflows the stack of its reader',
    foundBy: 'createPet refuses nesting of 10,000 levels with 400',
    breaks: mistakesAnswer((answer, { text }) => {
      if (text.includes('['.repeat(5_000))) answer.status = 500;
    }),
  },
  {
    defect: 'nesting of more than 16 levels refused',
    foundBy: 'createPet accepts a body of 32 levels of nesting',
    breaks: mistakesAnswer((answer, { text }) => {
      if (text.includes('['.repeat(16))) answer.status = 400;
    }),
  },
  {
    defect: 'compressed bodies inflated',
    foundBy: 'A compressed body is 415',
    breaks: accepts((_answer, { headers }) => headers.has('content-encoding')),
  },
  {
    defect: '500 for broken JSON',
    foundBy: 'createPet refuses JSON that is cut off with 400',
    breaks: mistakesAnswer((answer) => {
      if (answer.text.includes('"malformed_json"')) answer.status = 500;
    }),
  },
  {
    defect: 'any media type accepted',
    foundBy: 'A body of media type text/plain is 415',
    breaks: mistakesRequest(({ headers }) => headers.set('Content-Type', 'application/json')),
  },
  {
    defect: 'media type compared as it is',
    foundBy: 'application/json may come with a charset and in capitals',
    breaks: mistakesRequest(({ headers }) => {
      if (headers.get('content-type')?.includes(';')) headers.set('content-type', 'text/plain');
    }),
  },
  {
    defect: 'bodies of 64 KiB refused',
    foundBy: 'A body of 64 KiB is accepted',
    breaks: mistakesAnswer((answer, { text }) => {
      if (text.length === 64 * 1024) answer.status = 413;
    }),
  },
  {
    defect: 'bodies of any size accepted',
    foundBy: 'A body of a byte more than 64 KiB is 413',
    breaks: accepts(({ status }) => status === 413),
  },
];
