import { changesBody, changesHeader, changesRequest, changesResponse, type Defect } from './defect.ts';

const removeStatus = (text: string) => text.replace(/,"status":"(?:available|pending|sold)"/, '');

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
    breaks: changesBody(removeStatus),
  },
  {
    defect: 'missing status turned into available',
    foundBy: 'A status that is left out stays left out',
    breaks: changesResponse((response) => {
      response.text = response.text.replaceAll(/("categoryId":-?\d+)\}/g, '$1,"status":"available"}');
    }),
  },
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
    foundBy: 'URLs that the service returns have the version prefix',
    breaks: changesHeader('Location', '/pets/1'),
  },
  {
    defect: 'id taken from the body',
    foundBy: 'The service assigns the id also when the body has one',
    breaks: changesResponse((response, { text }) => {
      const [, id] = /^\{"id":(\d+)/.exec(text) ?? [];
      if (id !== undefined) response.text = response.text.replace(/"id":\d+/, `"id":${id}`);
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
      if (text.includes('colour')) response.text = response.text.replace(/\}$/, ',"colour":"red"}');
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
