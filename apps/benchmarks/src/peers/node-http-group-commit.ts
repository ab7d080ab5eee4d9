/**
 * The most that is possible without a framework: node:http, prepared statements, validation by hand. The creations of
 * one turn of the event loop share a commit.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type NewPet, type Pet, preparedPets, type Status } from './shared/pets.ts';
import { ADDRESS, errors, isAuthorized, openSqlite } from './shared/service.ts';

const COLLECTION = '/v1/pets';

interface Creation {
  pet: NewPet;
  response: ServerResponse;
}

const connection = openSqlite();
const pets = preparedPets(connection);
const createAll = connection.transaction((creations: Creation[]) =>
  creations.map(({ pet }) => pets.create(pet)),
);
let queue: Creation[] = [];

createServer((request, response) => {
  const [path = '', search = ''] = (request.url ?? '').split('?', 2);
  if (!isAuthorized(request.headers.authorization)) send(response, 401, errors.unauthorized);
  else if (path === COLLECTION && request.method === 'POST') create(request, response);
  else if (path === COLLECTION) list(response, search);
  else find(response, path.slice(COLLECTION.length + 1));
}).listen(ADDRESS);

function list(response: ServerResponse, search: string): void {
  const query = new URLSearchParams(search);
  const limit = Number(query.get('limit') ?? 20);
  const status = query.get('status') ?? undefined;
  const cursor = query.get('cursor') ?? undefined;
  const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= 100;
  const isCursor = cursor === undefined || /^[A-Za-z0-9_-]+$/.test(cursor);
  const isValid = isLimit && (status === undefined || isStatus(status)) && isCursor;
  if (isValid) send(response, 200, pets.list({ limit, status, cursor }).pets);
  else send(response, 400, errors.invalid);
}

function find(response: ServerResponse, id: string): void {
  const pet = /^\d+$/.test(id) ? pets.find(Number(id)) : undefined;
  if (pet === undefined) send(response, 404, errors.notFound);
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
    if (pet === undefined) return send(response, 400, errors.invalid);
    queue.push({ pet, response });
    if (queue.length === 1) setImmediate(commit);
  });
}

function commit(): void {
  const creations = queue;
  queue = [];
  let created: Pet[] = [];
  try {
    created = createAll(creations);
  } catch {
    // Every creation of the batch gets 500.
  }
  creations.forEach(({ response }, index) => {
    const pet = created[index];
    send(response, pet === undefined ? 500 : 201, pet ?? errors.internal);
  });
}

function parse(text: string): NewPet | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isNewPet(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isStatus = (value: unknown): value is Status =>
  value === 'available' || value === 'pending' || value === 'sold';

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
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}
