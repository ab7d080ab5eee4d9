import { changesParameter, changesRequest, changesResponse, type Defect } from './defect.ts';

const lenient = (accepted: string, meaning: string) => (value: string) =>
  value === accepted ? meaning : value || undefined;

export const limitDefects: Defect[] = [
  {
    defect: 'limit ignored',
    foundBy: 'A page has as many pets as limit says',
    breaks: changesParameter('limit', () => undefined),
  },
  {
    defect: 'default 10',
    foundBy: 'A page has 20 pets when there is no limit',
    breaks: changesParameter('limit', (value) => value || '10'),
  },
  {
    defect: 'default 50',
    foundBy: 'A page has at most 20 pets when there is no limit',
    breaks: changesParameter('limit', (value) => value || '50'),
  },
  {
    defect: 'limit 101 accepted',
    foundBy: 'listPets returns 400 when limit is 101',
    breaks: changesParameter('limit', lenient('101', '100')),
  },
  {
    defect: 'a limit with leading zeros refused',
    foundBy: 'A limit may have leading zeros',
    breaks: changesParameter('limit', (value) => (/^0\d/.test(value) ? 'x' : value || undefined)),
  },
  {
    defect: 'a limit with leading zeros read as octal',
    foundBy: 'A limit may have leading zeros',
    breaks: changesParameter('limit', (value) =>
      /^0[0-7]+$/.test(value) ? `${Number.parseInt(value, 8)}` : value || undefined,
    ),
  },
  {
    defect: '000 taken for no limit',
    foundBy: 'listPets returns 400 when limit is nothing but zeros',
    breaks: changesParameter('limit', lenient('000', '20')),
  },
  {
    defect: '0x10 accepted',
    foundBy: 'listPets returns 400 when limit is hexadecimal (0x10)',
    breaks: changesParameter('limit', lenient('0x10', '16')),
  },
  {
    defect: 'a bad limit taken for the default',
    foundBy: 'listPets returns 400 when limit is a word',
    breaks: changesParameter('limit', (value) => (/^(?:100|[1-9]\d?)$/.test(value) ? value : undefined)),
  },
  {
    defect: 'limits above 50 cut to 50',
    foundBy: 'A page has 100 pets when limit is 100',
    breaks: changesParameter('limit', (value) => (value === '100' ? '50' : value || undefined)),
  },
  {
    defect: 'one pet more than limit',
    foundBy: 'A page has at most as many pets as limit=1',
    breaks: changesResponse((response, { url }) => {
      if (url.search.includes('limit=1')) response.text = response.text.replace(/^\[(\{.*\})\]$/, '[$1,$1]');
    }),
  },
  {
    defect: 'limits above 100 obeyed',
    foundBy: 'A page never has more than 100 pets',
    breaks: (reference) => {
      const isBeyond = ({ searchParams }: URL) => Number(searchParams.get('limit')) > 100;
      const capped = changesRequest(({ url }) => {
        if (isBeyond(url)) url.searchParams.set('limit', '100');
      })(reference);
      return changesResponse((response, { url }) => {
        if (isBeyond(url)) response.text = response.text.replace(/^\[(\{.*\})\]$/, '[$1,$1]');
      })(capped);
    },
  },
  {
    defect: 'a bad limit refused in HTML',
    foundBy: 'Where listPets refuses a limit or a status, it returns an Error body',
    breaks: changesResponse((response) => {
      if (response.text.includes('"invalid_parameter"')) response.headers.set('content-type', 'text/html');
    }),
  },
];
