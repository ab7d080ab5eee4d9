import { parseJson } from '@petstore/contract/json';
import { isAnswer, isError } from './answer.ts';
import type { Answers, Operation } from './contract.ts';
import { PetStoreError, refusal, unexpectedAnswer } from './pet-store-error.ts';
import { routes } from './routes.ts';

/**
 * Sends a request of an operation and gives the contract's answer to it.
 *
 * @throws PetStoreError when there is no answer, or one that the contract does not have.
 */
export type Send = <Name extends Operation>(
  operation: Name,
  address: URL,
  content?: { headers?: Record<string, string>; body: string },
) => Promise<Answers[Name]>;

/** Makes the function that every request goes through. The key stays inside: nothing can print it. */
export function createSend({ apiKey, fetch }: { apiKey: string; fetch: typeof globalThis.fetch }): Send {
  return async (operation, address, content) => {
    const headers = new Headers({ ...content?.headers, accept: 'application/json' });
    headers.set('authorization', `Bearer ${apiKey}`);
    if (content) headers.set('content-type', 'application/json');
    const request = { method: routes[operation].method, headers, body: content?.body ?? null };

    const { response, text } = await exchange(operation, () => fetch(address.href, request));
    const body = parseBody(operation, response, text);
    const received = { status: response.status, headers: response.headers, body };
    if (isAnswer(operation, received)) return received;
    // Not what this operation answers with, but still the service speaking: wrong base address, say.
    if (response.status >= 400 && isError(body)) throw refusal({ ...received, body });
    throw unexpectedAnswer(`The answer to ${operation} is none of the pet store's`, response);
  };
}

async function exchange(operation: Operation, start: () => Promise<Response>) {
  try {
    const response = await start();
    return { response, text: await response.text() };
  } catch (cause) {
    throw new PetStoreError(`There was no answer to ${operation}`, { code: 'no_answer', cause });
  }
}

function parseBody(operation: Operation, response: Response, text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseJson(text);
  } catch (cause) {
    throw unexpectedAnswer(`The answer to ${operation} is no JSON that can be read`, response, cause);
  }
}
