/**
 * A pet store written from the interface document alone: it imports nothing of this repository, has error codes of its
 * own, no pagination, no probes and no /openapi.json. The first argument can name a fault, which the service then has;
 * the others are the statuses of a pet.
 *
 * It reads its key from API_KEY and prints its port.
 */
import { createServer } from 'node:http';

const pets = [];
const [, , fault, ...statuses] = process.argv;

class Failure extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

/** Keeps the text of each number, since an int64 can be beyond the exact integers of JavaScript. */
const parse = (text) =>
  JSON.parse(text, (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value));

const isInt64 = (value) => {
  const text = JSON.stringify(value) ?? '';
  return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
};

function listPets({ searchParams }) {
  const limit = searchParams.get('limit') ?? (fault === 'a default of 10' ? '10' : '20');
  const status = searchParams.get('status');
  if (!/^\d+$/.test(limit) || limit < 1 || limit > 100)
    throw new Failure(400, 'E_LIMIT', 'limit is 1 to 100');
  const found = status === null ? pets : pets.filter((pet) => pet.status === status);
  return [200, found.slice(0, limit)];
}

function createPet(text) {
  const { id: _assigned, name, categoryId, status, ...others } = readBody(text);
  if (typeof name !== 'string') throw new Failure(400, 'E_NAME', 'name is a required string');
  if (!isInt64(categoryId)) throw new Failure(400, 'E_CATEGORY', 'categoryId is a required int64');
  if (status !== undefined && !statuses.includes(status)) {
    throw new Failure(400, 'E_STATUS', `status is one of ${statuses}`);
  }
  const pet = { id: pets.length + 1, name: name.trim(), categoryId, ...others, status };
  pets.push(pet);
  if (fault === 'each pet twice') pets.push({ ...pet, id: pets.length + 1 });
  return [201, pet];
}

function readBody(text) {
  try {
    return Object(parse(text));
  } catch {
    throw new Failure(400, 'E_JSON', 'The body is no JSON');
  }
}

function getPet(id) {
  const pet = pets.find((pet) => `${pet.id}` === id);
  if (pet === undefined) throw new Failure(404, 'E_NOT_FOUND', 'There is no such pet');
  return [200, pet];
}

function respond({ method, url, headers }, text) {
  const isKnown = headers.authorization === `Bearer ${process.env.API_KEY}`;
  const missing = new Failure(401, 'E_KEY', 'The key is missing or invalid');
  if (!isKnown && fault === 'stored without a key' && method === 'POST' && url === '/v1/pets')
    createPet(text);
  if (!isKnown && fault !== 'no authentication') throw missing;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const [, id] = /^\/v1\/pets(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (id !== undefined && method === 'GET') return getPet(id);
  if (pathname === '/v1/pets' && method === 'GET') return listPets({ searchParams });
  if (pathname === '/v1/pets' && method === 'POST') return createPet(text);
  // Without a key this is 401 even with the fault, so that other operations of the contract add no findings.
  throw isKnown ? new Failure(404, 'E_PATH', 'There is nothing here') : missing;
}

function respondOrFail(request, text) {
  try {
    return respond(request, text);
  } catch ({ status, code, message }) {
    return [status, { code, message, status }];
  }
}

async function serve(request, response) {
  const chunks = await Array.fromAsync(request);
  const [status, body] = respondOrFail(request, Buffer.concat(chunks).toString());
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

// A request that is cut off gets no response.
const server = createServer((request, response) => serve(request, response).catch(() => response.destroy()));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
