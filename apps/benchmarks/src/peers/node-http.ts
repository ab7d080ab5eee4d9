/** The limit without a framework: node:http, prepared statements, validation by hand, one commit for each pet. */
import { authorizationCheck } from './shared/api-keys.ts';
import { serveNodeHttp } from './shared/node-http-server.ts';
import { preparedPets } from './shared/prepared-pets.ts';
import { openSqlite } from './shared/sqlite.ts';

const connection = openSqlite();
const pets = preparedPets(connection);

serveNodeHttp(
  {
    ...pets,
    create(pet, callback) {
      try {
        callback(pets.create(pet));
      } catch {
        callback(undefined);
      }
    },
  },
  authorizationCheck(connection),
);
