/** The program of the thread that writes to SQLite. */
import { runWriter } from '../../database/sqlite/writer-thread.ts';
import { createAppend } from './sqlite.ts';

runWriter(createAppend);
