import { extname } from 'node:path';
import type { AppendProgram } from '../../database/schema.ts';
import { appendPets } from './postgres.ts';

export const appendProgram: AppendProgram = {
  postgres: appendPets,
  // The build also puts the thread's program beside the file that contains this code.
  sqliteThread: new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url),
};
