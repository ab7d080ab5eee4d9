import { rmSync, writeFileSync } from 'node:fs';
import type { Database } from '../../database/database.ts';
import { reasonOf } from '../../database/reason.ts';
import { generateApiKey } from '../../keys/api-key.ts';
import { explainOutage } from '../../open-database.ts';
import { OperatorError } from '../../operator-error.ts';
import { print } from '../output.ts';

/** What the database has not confirmed may have happened. */
const UNCONFIRMED =
  '; a key that is not shown may have been stored: if petstore keys list has it, rotate or revoke it';

/**
 * Makes a key, and shows it this once: on standard output, or in a new file that only its owner can read. The file has
 * the key before it is valid: one that cannot be stored, on a full disk for example, is not issued.
 *
 * @param issue makes the key valid
 * @throws OperatorError when there is a file of this name already, or none can be made
 */
export async function issueKey<Issued>(
  database: Database,
  file: string | undefined,
  issue: (key: string) => Promise<Issued>,
): Promise<Issued> {
  const key = generateApiKey();
  const store = () => explainOutage(database, issue(key), UNCONFIRMED);
  if (file === undefined) {
    const issued = await store();
    print(key);
    return issued;
  }
  try {
    writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    throw new OperatorError(`--output: ${reasonOf(error)}`);
  }
  try {
    return await store();
  } catch (error) {
    rmSync(file);
    throw error;
  }
}
