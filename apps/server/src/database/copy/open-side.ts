import { configsOf, findPrimary } from '../postgres/open.ts';
import type { CopyPlan } from './copy-plan.ts';
import type { CopySide, Role } from './copy-side.ts';
import { openPostgresSide } from './postgres-side.ts';
import { openSqliteSide } from './sqlite-side.ts';

/** Where a database is. */
export type Location =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a database to copy from or into. It takes no writes until it is disposed of, and is served for reading.
 *
 * @throws DatabaseFault, or an error of the system or of the engine, when it is not there or is being written to
 */
export async function openSide(location: Location, plan: CopyPlan, role: Role): Promise<CopySide> {
  if (location.engine === 'sqlite') return openSqliteSide(location.file, plan, role);
  const configs = configsOf(location.url, plan.schema.name, CONNECT_TIMEOUT_MS);
  return openPostgresSide(await findPrimary(configs), plan, role);
}
