import { writeFileSync } from 'node:fs';
import { type Database, isCausedByWork } from '../../database/database.ts';
import { reasonOf } from '../../database/reason.ts';
import { generateApiKey } from '../../keys/api-key.ts';
import { OperatorError } from '../../process/operator-error.ts';
import { withOperatorErrors } from '../../service/create-database.ts';

/** Ends the message when the database has not confirmed the key, or the key cannot be shown. */
const UNCONFIRMED =
  '; the key may be valid all the same: petstore keys list shows it, and petstore keys revoke ends it';

/**
 * Makes a key, and shows it once. A key that may have become valid is shown, too.
 * @param issue makes the key valid
 * @throws OperatorError when the key cannot be shown
 */
export async function issueKey<Issued>(
  database: Database,
  issue: (key: string) => Promise<Issued>,
): Promise<Issued> {
  const key = generateApiKey();
  let mayBeValid = true;
  const issuing = issue(key).catch((error: unknown) => {
    // During an outage, the database may have stored the key without confirming it.
    mayBeValid = !isCausedByWork(database, error);
    throw error;
  });
  try {
    return await withOperatorErrors(database, issuing, UNCONFIRMED);
  } finally {
    if (mayBeValid) show(key);
  }
}

/** Writes synchronously, because the stream would report an error only after the command. */
function show(key: string): void {
  try {
    writeFileSync(process.stdout.fd, `${key}\n`);
  } catch (error) {
    throw new OperatorError(`cannot write to standard output: ${reasonOf(error)}${UNCONFIRMED}`);
  }
}
