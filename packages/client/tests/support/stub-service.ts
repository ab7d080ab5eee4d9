import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { NewPet, Pet } from '@petstore/contract';
import { listen } from '@petstore/test-support/servers/listen';
import { onTestFinished } from 'vitest';
import { createPetStore, PetStoreError, type PetStoreOptions } from '../../src/index.ts';

export type Request = IncomingMessage & { body: string };

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Bytes to send instead of a response. The connection closes after them. */
  raw?: string;
}

/** Starts a loopback service that sends the given reply and records the requests. It closes after the test. */
export async function serveReplies(reply: Reply | ((request: Request) => Reply)) {
  const requests: Request[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request = Object.assign(incoming, { body: await text(incoming) });
    requests.push(request);
    const { status = 200, body = '', headers, raw } = typeof reply === 'function' ? reply(request) : reply;
    if (raw !== undefined) return incoming.socket.end(raw);
    return outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const listening = await listen(server);
  onTestFinished(() => listening[Symbol.asyncDispose]());
  return { baseUrl: `${listening.origin}/v1`, requests };
}

export const noResponse: Reply = { raw: '' };

export const apiKey = 'pst_secret';

/** Its name has characters beyond ISO 8859-1, and a double would round its category. */
export const newPet = Object.freeze(NewPet.parse({ name: 'Ñandú 🦤', categoryId: 9007199254740993n }));
export const pet = Pet.parse({ id: 1, name: 'Ñandú 🦤', categoryId: 7 });

/** A store whose service sends the given reply. The store retries only if `options` say so. */
export async function storeWithReply(
  reply: Parameters<typeof serveReplies>[0],
  options: Partial<PetStoreOptions> = {},
) {
  const service = await serveReplies(reply);
  return { store: createPetStore({ baseUrl: service.baseUrl, apiKey, retries: 0, ...options }), ...service };
}

export async function errorOf(call: Promise<unknown>): Promise<PetStoreError> {
  const thrown = await call.then(() => 'nothing').catch((error: unknown) => error);
  if (thrown instanceof PetStoreError) return thrown;
  throw new TypeError(`Expected a PetStoreError, got ${inspect(thrown)}`);
}
