import { accepts, type Defect, mistakesAnswer, mistakesHeader, mistakesRequest } from './breaking.ts';

export const repeating: Defect[] = [
  {
    defect: 'idempotency key forgotten',
    foundBy: 'The same Idempotency-Key with the same body gives the first answer again, byte for byte',
    breaks: mistakesRequest(({ headers }) => headers.delete('idempotency-key')),
  },
  {
    defect: '422 not given',
    foundBy: 'The same Idempotency-Key with another body is 422',
    breaks: accepts(({ status }) => status === 422),
  },
  {
    defect: 'a replay that does not say so',
    foundBy: 'The same Idempotency-Key with the same body gives the first answer again, byte for byte',
    breaks: mistakesHeader('Idempotency-Replayed'),
  },
  {
    defect: 'a replay with its members in another order',
    foundBy: 'The same Idempotency-Key with the same body gives the first answer again, byte for byte',
    breaks: mistakesAnswer((answer) => {
      if (answer.headers.has('idempotency-replayed')) {
        answer.text = answer.text.replace(/\{("id":-?\d+),(.*)\}/, '{$2,$1}');
      }
    }),
  },
  {
    defect: 'bodies compared as texts',
    foundBy: 'The same Idempotency-Key with the same animal in another notation gives the first answer again',
    breaks: mistakesAnswer((answer, { headers, text }) => {
      if (headers.has('idempotency-key') && text.startsWith(' ')) answer.status = 422;
    }),
  },
  {
    defect: 'idempotency keys trimmed inside their quotes',
    foundBy: 'An Idempotency-Key that has spaces inside its quotes is 400',
    breaks: mistakesRequest(({ headers }) => {
      const key = headers.get('idempotency-key');
      if (key?.startsWith('" ')) headers.set('idempotency-key', key.replaceAll(' ', ''));
    }),
  },
  {
    defect: 'every answer called a replay',
    foundBy: 'The first answer to an Idempotency-Key does not say that it is a repetition',
    breaks: mistakesHeader('Idempotency-Replayed', 'true'),
  },
  {
    defect: 'one memory for all idempotency keys',
    foundBy: 'Another Idempotency-Key with the same body adds another animal',
    breaks: mistakesRequest(({ headers }) => {
      if (headers.has('idempotency-key')) headers.set('idempotency-key', 'k');
    }),
  },
  {
    defect: 'quotes taken as part of the idempotency key',
    foundBy: 'A quoted and a bare Idempotency-Key are the same key',
    breaks: mistakesRequest(({ headers }) => {
      const key = headers.get('idempotency-key');
      if (key?.endsWith('"')) headers.set('idempotency-key', `quoted-${key.slice(1, -1)}`);
    }),
  },
  {
    defect: 'idempotency keys of 64 characters at most',
    foundBy: 'An Idempotency-Key may have 255 visible characters',
    breaks: mistakesRequest(({ headers }) => {
      if ((headers.get('idempotency-key') ?? '').length > 64) headers.set('idempotency-key', '');
    }),
  },
  {
    defect: 'any idempotency key accepted',
    foundBy: 'An Idempotency-Key that has a space inside is 400',
    breaks: accepts(({ text }) => text.includes('"invalid_idempotency_key"')),
  },
  {
    defect: 'an animal for each of the requests at once with one idempotency key',
    foundBy: 'Ten requests at once with one Idempotency-Key add one animal',
    breaks: (reference) => {
      const seen = new Map<string, number>();
      return async (url, init) => {
        const headers = new Headers(init.headers);
        const key = headers.get('idempotency-key') ?? '';
        const count = seen.get(key) ?? 0;
        seen.set(key, count + 1);
        // Only the second request forgets the key, as one that looks before the first has written.
        if (key !== '' && count === 1) headers.delete('idempotency-key');
        return reference(url, { ...init, headers });
      };
    },
  },
];
