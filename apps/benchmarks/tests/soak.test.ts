import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Ledger, type LedgerPet, newPet } from '../src/ledger.ts';

const soak = fileURLToPath(new URL('../dist/soak.js', import.meta.url));

test('a short soak goes through all events and finds every acknowledged pet', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [soak, '--minutes', '0.1', '--rate', '50']);

  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => /^[a-z]/.test(line))).toEqual(['kill -9', 'backup', 'restore', 'kill -9']);
  expect(lines.filter((line) => /^\d+ s: \d+ calls, memory /.test(line))).toHaveLength(20);
  expect(lines.at(-2)).toMatch(/^300 calls, 0 failed$/);
  expect(lines.at(-1)).toMatch(/^[1-9]\d* creations acknowledged, 0 lost, doubled or changed$/);
});

test.each([
  ['--minutes', 'x'],
  ['--minutes', '0'],
  ['--rate', '-1'],
])('a soak with %s %s does not start', async (...args) => {
  const ended = promisify(execFile)(process.execPath, [soak, ...args]);
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('must be a positive number'),
  });
});

const petOf = (serial: number): LedgerPet => ({ id: 100 + serial, ...newPet(serial) });

async function* pages(pets: readonly LedgerPet[]) {
  yield* pets;
}

test('a ledger finds pets that are lost, doubled and changed', async () => {
  const ledger = new Ledger();
  for (let serial = 1; serial <= 5; serial += 1) ledger.acknowledge(serial, petOf(serial));
  const [one, three, four, five] = [1, 3, 4, 5].map(petOf);
  if (!one || !three || !four || !five) throw new Error('Each serial number has a pet');

  ledger.acknowledge(5, { ...five, id: 110 });
  await ledger.check(pages([one, { ...three, categoryId: 99 }, four, { ...four, id: 109 }]));

  const kinds = ledger.problems.map((problem) => problem.replace(/( with|,| is| has).*/, ''));
  expect(kinds).toEqual(['doubled: no. 5', 'changed: no. 3', 'doubled: no. 4', 'lost: no. 2', 'lost: no. 5']);
});
