import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@petstore/test-support/browser';
import { temporaryFolder } from '@petstore/test-support/files';
import { startShell } from '@petstore/test-support/programs';
import { findFreePort } from '@petstore/test-support/servers/free-port';

export const PICTURES = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

const DEMO = fileURLToPath(new URL('./demo.ts', import.meta.url));

/** Takes the pictures of the README, by their file names, from the built apps with the animals of `pnpm demo`. */
export async function takePictures(): Promise<Record<string, Buffer>> {
  await using folder = await temporaryFolder();
  await using demo = await startDemo(folder.file('demo.db'));
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1120, height: 640 }, colorScheme: 'light' });
  await page.goto(demo.catalogue);
  const catalogue = await page.screenshot();
  await page.goto(`${demo.service}/docs`);
  await page.getByRole('heading', { name: 'Pet Store Service' }).waitFor();
  await page.getByText('Authentication').first().waitFor();
  const docs = await page.screenshot({ animations: 'disabled' });
  await demo.end('SIGTERM');
  return { 'catalogue.png': catalogue, 'docs.png': docs };
}

/** Starts the demo on free ports, and waits for its animals. @throws Error with its output if it ends before */
export async function startDemo(database: string) {
  const [port, cataloguePort] = [await findFreePort(), await findFreePort()];
  const environment = { PORT: `${port}`, CATALOGUE_PORT: `${cataloguePort}` };
  const demo = startShell(`exec node ${DEMO} --database ${database}`, { environment });
  let hasEnded = false;
  demo.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !demo.output().includes('Catalogue')) await sleep(100);
  if (hasEnded) throw new Error(`The demo has ended: ${demo.output()}`);
  return { ...demo, service: `http://127.0.0.1:${port}`, catalogue: `http://127.0.0.1:${cataloguePort}` };
}
