/**
 * Writes the pictures of the README from the built apps with the animals of `pnpm demo`: `pnpm build`, then
 * `node apps/catalogue/scripts/write-pictures.ts`.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@petstore/test-support/browser';
import { temporaryFolder } from '@petstore/test-support/files';
import { startDemo } from './start-demo.ts';

const PICTURES = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

await using folder = await temporaryFolder();
await using demo = await startDemo(folder.file('demo.db'));
await using browser = await launchBrowser();
mkdirSync(PICTURES, { recursive: true });
const page = await browser.newPage({ viewport: { width: 1120, height: 640 }, colorScheme: 'light' });
await page.goto(demo.catalogue);
await page.screenshot({ path: `${PICTURES}catalogue.png` });
await page.goto(`${demo.service}/docs`);
await page.getByRole('heading', { name: 'Pet Store Service' }).waitFor();
await page.getByText('Authentication').first().waitFor();
await page.screenshot({ path: `${PICTURES}docs.png`, animations: 'disabled' });
