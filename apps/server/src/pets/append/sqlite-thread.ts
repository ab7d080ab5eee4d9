import { runWriter } from '../../database/sqlite/writer-thread.ts';
import { createAppend } from './sqlite.ts';

runWriter(createAppend);
