import type { Migration } from 'kysely/migration';
import type { EngineSyntax } from '../database/migrations/engine-syntax.ts';
import { initial } from './001-initial.ts';

/** The history of the schema, in order. A migration that has landed is never changed. */
const history: Record<string, (syntax: EngineSyntax) => Migration> = {
  '001-initial': initial,
};

export const migrations = (syntax: EngineSyntax): Record<string, Migration> =>
  Object.fromEntries(Object.entries(history).map(([name, create]) => [name, create(syntax)]));
