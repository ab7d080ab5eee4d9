import { type Int64, parseInt64, stringifyJson } from '@petstore/contract';
import type { Command } from 'commander';
import { OperatorError } from '../operator-error.ts';
import { listOrigins, type PetWithOrigin } from '../pets/list-origins.ts';
import { printLines } from './output.ts';
import { formatIso, parsePast } from './times.ts';
import { withDatabase } from './with-database.ts';

interface PetsOptions {
  createdBy?: string;
  since?: string;
  json?: boolean;
}

export function addPets(program: Command): void {
  program
    .command('pets')
    .description('list pets with when each was added, and by which API key')
    .argument('[id]', 'the pet with this id alone')
    .option('--created-by <name>', 'those that the API key of this name has added')
    .option('--since <time>', 'those that were added since then: 24h ago, or 2026-11-22T08:00Z')
    .option('--json', 'as JSON, an object on each line')
    .action((id: string | undefined, { createdBy, since, json = false }: PetsOptions) => {
      const wanted = {
        id: id === undefined ? undefined : parseId(id),
        createdBy,
        since: since === undefined ? undefined : parsePast(since),
      };
      const format = json ? toJson : toText;
      return withDatabase(async (database) => {
        for await (const pets of listOrigins(database, wanted)) {
          if (!(await printLines(pets.map(format)))) return;
        }
      });
    });
}

function parseId(text: string): Int64 {
  const id = parseInt64(text);
  if (id === undefined) throw new OperatorError(`"${text}" is not an id: an integer is`);
  return id;
}

function toJson({ id, createdAt, createdBy, ...pet }: PetWithOrigin): string {
  return stringifyJson({ id, createdAt: formatIso(createdAt), createdBy, ...pet });
}

/** Names are quoted, so that none can change what a terminal shows. */
const toText = ({ id, createdAt, createdBy, name }: PetWithOrigin) =>
  [id, formatIso(createdAt) ?? 'unknown', createdBy ?? 'unknown', JSON.stringify(name)].join('  ');
