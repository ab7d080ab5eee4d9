import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startShell } from '@petstore/test-support/programs';
import { findFreePort } from '@petstore/test-support/servers/free-port';

const DEMO = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));

/** Starts the demo on free ports, and waits for its animals. @throws Error with its output if it ends before */
export async function startDemo(database: string, variables: Record<string, string> = {}) {
  const environment = {
    PORT: `${await findFreePort()}`,
    CATALOGUE_PORT: `${await findFreePort()}`,
    ...variables,
  };
  const demo = startShell(`exec node ${DEMO} --database ${database}`, { environment });
  let hasEnded = false;
  demo.ended.then(() => {
    hasEnded = true;
  });
  // The demo prints this once it has added the animals.
  while (!hasEnded && !demo.output().includes('Catalogue')) await sleep(100);
  if (hasEnded) throw new Error(`The demo has ended: ${demo.output()}`);
  const { PORT, CATALOGUE_PORT } = environment;
  return { ...demo, service: `http://127.0.0.1:${PORT}`, catalogue: `http://127.0.0.1:${CATALOGUE_PORT}` };
}
