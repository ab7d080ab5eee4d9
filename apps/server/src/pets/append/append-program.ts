import { extname } from 'node:path';
import type { AppendProgram } from '../../database/schema.ts';
import { appendPets } from './postgres.ts';

export const appendProgram: AppendProgram = {
  postgres: appendPets,
  // Also beside this file in the bundle.
  sqliteThread: new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url),
};
