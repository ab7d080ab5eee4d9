import { accepts, changesHeader, changesRequest, changesResponse, type Defect } from './defect.ts';

export const idempotencyKeyDefects: Defect[] = [
  {
    defect: 'idempotency key not stored',
    foundBy: 'The same Idempotency-Key with the same body returns the first response again, byte for byte',
    breaks: changesRequest(({ headers }) => headers.delete('idempotency-key')),
  },
  {
    defect: '422 not given',
    foundBy: 'The same Idempotency-Key with another body returns 422',
    breaks: accepts(({ status }) => status === 422),
  },
  {
    defect: 'a replay that does not say so',
    foundBy: 'The same Idempotency-Key with the same body returns the first response again, byte for byte',
    breaks: changesHeader('Idempotency-Replayed'),
  },
  {
    defect: 'a replay with its members in another order',
    foundBy: 'The same Idempotency-Key with the same body returns the first response again, byte for byte',
    breaks: changesResponse((response) => {
      if (response.headers.has('idempotency-replayed')) {
        response.text = response.text.replace(/\{("id":-?\d+),(.*)\}/, '{$2,$1}');
      }
    }),
  },
  {
    defect: 'bodies compared as texts',
    foundBy:
      'The same Idempotency-Key with the same pet in another notation returns the first response again',
    breaks: changesResponse((response, { headers, text }) => {
      if (headers.has('idempotency-key') && text.startsWith(' ')) response.status = 422;
    }),
  },
  {
    defect: 'idempotency keys trimmed inside their quotes',
    foundBy: 'createPet returns 400 when the Idempotency-Key has spaces inside its quotes',
    breaks: changesRequest(({ headers }) => {
      const key = headers.get('idempotency-key');
      if (key?.startsWith('" ')) headers.set('idempotency-key', key.replaceAll(' ', ''));
    }),
  },
  {
    defect: 'every response called a replay',
    foundBy: 'The first response to an Idempotency-Key is not marked as replayed',
    breaks: changesHeader('Idempotency-Replayed', 'true'),
  },
  {
    defect: 'one memory for all idempotency keys',
    foundBy: 'Another Idempotency-Key with the same body adds another pet',
    breaks: changesRequest(({ headers }) => {
      if (headers.has('idempotency-key')) headers.set('idempotency-key', 'k');
    }),
  },
  {
    defect: 'quotes taken as part of the idempotency key',
    foundBy: 'A quoted and a bare Idempotency-Key are the same key',
    breaks: changesRequest(({ headers }) => {
      const key = headers.get('idempotency-key');
      if (key?.endsWith('"')) headers.set('idempotency-key', `quoted-${key.slice(1, -1)}`);
    }),
  },
  {
    defect: 'idempotency keys of 64 characters at most',
    foundBy: 'An Idempotency-Key may have 255 visible characters',
    breaks: changesRequest(({ headers }) => {
      if ((headers.get('idempotency-key') ?? '').length > 64) headers.set('idempotency-key', '');
    }),
  },
  {
    defect: 'any idempotency key accepted',
    foundBy: 'createPet returns 400 when the Idempotency-Key has a space inside',
    breaks: accepts(({ text }) => text.includes('"invalid_idempotency_key"')),
  },
  {
    defect: 'a pet for each of the requests at once with one idempotency key',
    foundBy: 'Ten concurrent requests with one Idempotency-Key add one pet',
    breaks: (reference) => {
      const seen = new Map<string, number>();
      return async (url, init) => {
        const headers = new Headers(init.headers);
        const key = headers.get('idempotency-key') ?? '';
        const count = seen.get(key) ?? 0;
        seen.set(key, count + 1);
        // Only the second request loses its key, as one that looks for it before the first has saved it.
        if (key !== '' && count === 1) headers.delete('idempotency-key');
        return reference(url, { ...init, headers });
      };
    },
  },
];
