import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { internal, invalid, notFound, unauthorized } from './errors.ts';
import type { Page, PageQuery } from './page.ts';
import type { NewPet, Pet, Status } from './pet.ts';
import { HOST, PORT } from './settings.ts';

const COLLECTION = '/v1/pets';

/** The operations, as the servers on bare node:http differ in them. */
export interface Pets {
  list(query: PageQuery): Page;
  find(id: number): Pet | undefined;
  /** Calls back once the pet is durable, with `undefined` when that failed. */
  create(pet: NewPet, callback: (pet: Pet | undefined) => void): void;
}

/** Serves the three operations with node:http alone, validated by hand. */
export function serveNodeHttp(
  pets: Pets,
  isAuthorized: (authorization: string | undefined) => boolean,
): void {
  createServer((request, response) => {
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);
    if (!isAuthorized(request.headers.authorization)) send(response, 401, unauthorized);
    else if (path === COLLECTION && request.method === 'POST') create(request, response);
    else if (path === COLLECTION) list(response, search);
    else find(response, path.slice(COLLECTION.length + 1));
  }).listen(PORT, HOST);

  function list(response: ServerResponse, search: string): void {
    const query = new URLSearchParams(search);
    const limit = Number(query.get('limit') ?? 20);
    const status = query.get('status') ?? undefined;
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= 100;
    const cursor = query.get('cursor') ?? undefined;
    const isValid = isLimit && (status === undefined || isStatus(status)) && isCursor(cursor);
    if (isValid) send(response, 200, pets.list({ limit, status, cursor }).pets);
    else send(response, 400, invalid);
  }

  function find(response: ServerResponse, id: string): void {
    const pet = /^\d+$/.test(id) ? pets.find(Number(id)) : undefined;
    if (pet === undefined) send(response, 404, notFound);
    else send(response, 200, pet);
  }

  function create(request: IncomingMessage, response: ServerResponse): void {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const pet = parse(text);
      if (!isNewPet(pet)) return send(response, 400, invalid);
      pets.create(pet, (created) =>
        created === undefined ? send(response, 500, internal) : send(response, 201, created),
      );
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isStatus = (value: unknown): value is Status =>
  value === 'available' || value === 'pending' || value === 'sold';

const isCursor = (value: string | undefined) => value === undefined || /^[A-Za-z0-9_-]+$/.test(value);

const isNewPet = (value: unknown): value is NewPet =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'categoryId' in value &&
  Number.isSafeInteger(value.categoryId) &&
  (!('status' in value) || isStatus(value.status));

function send(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
