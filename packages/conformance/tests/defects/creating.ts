import { type Defect, mistakesAnswer, mistakesBody, mistakesHeader, mistakesRequest } from './breaking.ts';

const forgetsStatus = (text: string) => text.replace(/,"status":"(?:available|pending|sold)"/, '');

export const creating: Defect[] = [
  {
    defect: '200 in place of 201',
    foundBy: 'createPet answers 201 with the Pet: what was sent, and an id',
    breaks: mistakesAnswer((answer) => {
      if (answer.status === 201) answer.status = 200;
    }),
  },
  {
    defect: 'status forgotten',
    foundBy: 'An animal can be added as pending',
    breaks: mistakesBody(forgetsStatus),
  },
  {
    defect: 'missing status turned into available',
    foundBy: 'A status that is left out stays left out',
    breaks: mistakesAnswer((answer) => {
      answer.text = answer.text.replaceAll(/("categoryId":-?\d+)\}/g, '$1,"status":"available"}');
    }),
  },
  {
    defect: 'Location missing',
    foundBy: 'Location names the new animal',
    breaks: mistakesHeader('Location'),
  },
  {
    defect: 'Location of another animal',
    foundBy: 'Location names the new animal',
    breaks: mistakesHeader('Location', '/v1/pets/0'),
  },
  {
    defect: 'addresses without the version prefix',
    foundBy: 'The addresses that the service gives carry the version prefix /v1',
    breaks: mistakesHeader('Location', '/pets/1'),
  },
  {
    defect: 'id taken from the body',
    foundBy: 'The id is the service’s own, also when the body has one',
    breaks: mistakesAnswer((answer, { text }) => {
      const [, id] = /^\{"id":(\d+)/.exec(text) ?? [];
      if (id !== undefined) answer.text = answer.text.replace(/"id":\d+/, `"id":${id}`);
    }),
  },
  {
    defect: 'equal animals merged',
    foundBy: 'Every POST without an Idempotency-Key adds an animal',
    breaks: mistakesRequest(({ headers, method, text }) => {
      if (method === 'POST' && text.includes('Conformance'))
        headers.set('Idempotency-Key', `"${text.length}"`);
    }),
  },
  {
    defect: 'unknown members given back',
    foundBy: 'Members that NewPet does not have are ignored',
    breaks: mistakesAnswer((answer, { text }) => {
      if (text.includes('colour')) answer.text = answer.text.replace(/\}$/, ',"colour":"red"}');
    }),
  },
  {
    defect: 'new animals kept from the listing',
    foundBy: 'An animal that was added is in the listing',
    breaks: mistakesAnswer((answer) => {
      if (answer.text.startsWith('[')) answer.text = '[]';
    }),
  },
];
