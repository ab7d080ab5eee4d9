/** The limit without a framework: node:http, prepared statements, validation by hand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { authorizationCheck } from './shared/api-keys.ts';
import { internal, invalid, notFound, unauthorized } from './shared/errors.ts';
import type { NewPet, Status } from './shared/pet.ts';
import { preparedPets } from './shared/prepared-pets.ts';
import { HOST, PORT } from './shared/settings.ts';
import { openSqlite } from './shared/sqlite.ts';

const COLLECTION = '/v1/pets';

const connection = openSqlite();
const isAuthorized = authorizationCheck(connection);
const pets = preparedPets(connection);

type Answer = readonly [status: number, body: unknown];

createServer((request, response) => {
  const [path = '', search = ''] = (request.url ?? '').split('?', 2);
  if (!isAuthorized(request.headers.authorization)) send(response, [401, unauthorized]);
  else if (path === COLLECTION && request.method === 'POST') receive(request, response);
  else if (path === COLLECTION) send(response, list(search));
  else send(response, find(path.slice(COLLECTION.length + 1)));
}).listen(PORT, HOST);

function list(search: string): Answer {
  const query = new URLSearchParams(search);
  const limit = Number(query.get('limit') ?? 20);
  const status = query.get('status') ?? undefined;
  const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= 100;
  return isLimit && (status === undefined || isStatus(status))
    ? [200, pets.list(limit, status)]
    : [400, invalid];
}

function find(id: string): Answer {
  const pet = /^\d+$/.test(id) ? pets.find(Number(id)) : undefined;
  return pet === undefined ? [404, notFound] : [200, pet];
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => send(response, create(text)));
}

function create(text: string): Answer {
  const pet = parse(text);
  if (!isNewPet(pet)) return [400, invalid];
  try {
    return [201, pets.create(pet)];
  } catch {
    return [500, internal];
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

const isNewPet = (value: unknown): value is NewPet =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'categoryId' in value &&
  Number.isSafeInteger(value.categoryId) &&
  (!('status' in value) || isStatus(value.status));

function send(response: ServerResponse, [status, value]: Answer): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
