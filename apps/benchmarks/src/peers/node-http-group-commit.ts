/** The same as node-http, but the creations of one turn of the event loop share a commit. */
import { authorizationCheck } from './shared/api-keys.ts';
import { serveNodeHttp } from './shared/node-http-server.ts';
import type { NewPet, Pet } from './shared/pet.ts';
import { preparedPets } from './shared/prepared-pets.ts';
import { openSqlite } from './shared/sqlite.ts';

interface Creation {
  pet: NewPet;
  callback: (pet: Pet | undefined) => void;
}

const connection = openSqlite();
const pets = preparedPets(connection);
const createAll = connection.transaction((creations: Creation[]) =>
  creations.map(({ pet }) => pets.create(pet)),
);
let queue: Creation[] = [];

function commit(): void {
  const creations = queue;
  queue = [];
  let created: Pet[] = [];
  try {
    created = createAll(creations);
  } catch {
    // Every callback gets `undefined`.
  }
  creations.forEach(({ callback }, index) => {
    callback(created[index]);
  });
}

serveNodeHttp(
  {
    ...pets,
    create(pet, callback) {
      queue.push({ pet, callback });
      if (queue.length === 1) setImmediate(commit);
    },
  },
  authorizationCheck(connection),
);
