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
  const [port, cataloguePort] = [await findFreePort(), await findFreePort()];
  const environment = { PORT: `${port}`, CATALOGUE_PORT: `${cataloguePort}` };
  await using demo = startShell(`exec node ${DEMO} --database ${folder.file('demo.db')}`, { environment });
  while (!demo.output().includes('Catalogue')) await new Promise((resolve) => setTimeout(resolve, 100));
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1120, height: 640 }, colorScheme: 'light' });
  await page.goto(`http://127.0.0.1:${cataloguePort}`);
  const catalogue = await page.screenshot();
  await page.goto(`http://127.0.0.1:${port}/docs`);
  await page.getByRole('heading', { name: 'Pet Store Service' }).waitFor();
  await page.getByText('Authentication').first().waitFor();
  const docs = await page.screenshot({ animations: 'disabled' });
  await demo.end('SIGTERM');
  return { 'catalogue.png': catalogue, 'docs.png': docs };
}
