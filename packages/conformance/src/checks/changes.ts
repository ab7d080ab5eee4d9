import { type Check, checks } from '../check.ts';
import { expect, expectError, expectStatus } from '../http/response.ts';
import { send } from '../http/send.ts';
import { fillIn, type Operation, operations } from '../operations.ts';
import { fetchPet, newPet, petOf, post } from '../pets.ts';
import type { Target } from '../target.ts';

/** Adds a pet with an Idempotency-Key. Returns its responses, and functions that repeat, change and read it. */
async function addChangeable(target: Target, { method, template }: Operation) {
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const create = () => post(target, newPet(), key);
  const created = await create();
  const { id } = petOf(created, 201);
  const { response: read } = await fetchPet(target, { id });
  const headers = { 'If-Match': read.headers.get('etag') ?? '' };
  const change = (json: unknown, sent: Record<string, string> = headers) =>
    send(target, method, fillIn(template, `${id}`), { json, headers: sent });
  const readAgain = async () => (await fetchPet(target, { id })).response;
  return { create, created, read, change, readAgain };
}

const wasChanged = ({ status }: { status: number }) => status >= 200 && status < 300;

/** The checks change a pet to the example of the operation's body. */
export const checksOfChange = (operation: Operation): Check[] => {
  const { name, body } = operation;
  return [
    ...checks('RFC 6585 section 3', {
      [`${name} returns 428 without If-Match, and changes nothing`]: async (target) => {
        const { read, change, readAgain } = await addChangeable(target, operation);
        expectError(await change(body, {}), 428);
        const again = await readAgain();
        expect(again, again.text === read.text, 'the pet as it was');
      },
    }),
    ...checks('RFC 9110 section 13.1.1', {
      [`${name} returns 412 for the entity tag of a pet that was changed, and changes nothing`]: async (
        target,
      ) => {
        const { change, readAgain } = await addChangeable(target, operation);
        const changed = await change(body);
        expect(changed, wasChanged(changed), 'a success for the current entity tag', changed.status);
        const read = await readAgain();
        expectError(await change(newPet()), 412, 'precondition_failed');
        const again = await readAgain();
        expect(again, again.text === read.text, 'the pet as it was');
      },
      [`One of ten concurrent ${name} requests with the same entity tag succeeds`]: async (target) => {
        const { read, change } = await addChangeable(target, operation);
        const responses = await Promise.all(Array.from({ length: 10 }, () => change(body)));
        const count = responses.filter(wasChanged).length;
        expect(read, count === 1, 'one success of ten changes at once', count);
      },
    }),
    ...checks('decision: same key, same body', {
      [`The same Idempotency-Key returns the first response again after ${name}`]: async (target) => {
        const { create, created, change } = await addChangeable(target, operation);
        await change(body);
        const repeated = expectStatus(await create(), 201);
        expect(repeated, repeated.text === created.text, 'the first response again');
      },
    }),
  ];
};

export const changes: Check[] = operations
  .filter(({ method, template }) => /PUT|PATCH/.test(method) && template === '/pets/{petId}')
  .flatMap(checksOfChange);
