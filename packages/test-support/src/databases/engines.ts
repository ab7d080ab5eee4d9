import { z } from 'zod';

const Engines = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(z.enum(['sqlite', 'postgres'])).min(1));

/** The database engines that tests run on: both, or those in the variable DATABASES. */
export const engines = Engines.parse(process.env.DATABASES ?? 'sqlite,postgres');
export type Engine = (typeof engines)[number];
