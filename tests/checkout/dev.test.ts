import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { startShell } from '@petstore/test-support/programs';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { expect, test } from 'vitest';
import { copyCheckout } from '../copy-checkout.ts';

/** An installation or a build can take minutes on a busy machine. */
const PATIENCE = { timeout: 300_000 };

test('pnpm dev serves changes in a folder named with # and [, survives type errors in contract, server and catalogue, and leaves no program behind', async () => {
  await using clone = await copyCheckout({ prefix: 'petstore-C# [1]-' });
  const [port, cataloguePort] = [await findFreePort(), await findFreePort()];
  const environment = { PORT: `${port}`, CATALOGUE_PORT: `${cataloguePort}` };
  const service = `http://127.0.0.1:${port}`;
  const catalogue = `http://127.0.0.1:${cataloguePort}`;
  const readDocument = () => fetch(`${service}/openapi.json`).then((response) => response.text(), String);
  const command = 'pnpm install --frozen-lockfile --prefer-offline && pnpm dev';
  await using dev = startShell(command, { cwd: clone.path, environment });
  await expect.poll(dev.output, PATIENCE).toContain(`Catalogue  ${catalogue}`);

  for (const file of [
    'packages/contract/src/error.ts',
    'apps/server/src/process/config.ts',
    'apps/catalogue/src/paths.ts',
  ]) {
    const text = readFileSync(clone.file(file), 'utf8');
    const lengthBefore = dev.output().length;
    appendFileSync(clone.file(file), `export const mistake: number = 'text';\n`);
    const outputSince = () => dev.output().slice(lengthBefore);
    await expect.poll(outputSince, PATIENCE).toMatch(new RegExp(`${basename(file)}.*error TS2322`));
    expect((await fetch(`${service}/livez`)).status, file).toBe(200);
    expect((await fetch(`${catalogue}/animals`)).status, file).toBe(200);
    writeFileSync(clone.file(file), text);
  }

  const contract = clone.file('packages/contract/src/v1/pet.ts');
  const changed = readFileSync(contract, 'utf8').replace("'Availability status'", "'Whether it is adopted'");
  writeFileSync(contract, changed);
  await expect.poll(readDocument, PATIENCE).toContain('Whether it is adopted');

  // `end` waits until the last program that writes to the terminal has ended.
  await dev.end('SIGINT');
  for (const origin of [service, catalogue]) await expect(fetch(origin)).rejects.toThrow();
});
