import { NewPet } from '@petstore/contract';
import { expect, test } from 'vitest';
import { Concurrency } from '../src/import/concurrency.ts';
import { importRecords } from '../src/import/import-records.ts';
import { type ImportState, newImport } from '../src/import/journal.ts';
import type { InputRecord } from '../src/input/input-record.ts';

const pet = NewPet.parse({ name: '', categoryId: 1 });

/** Records of a line and a byte each. The key of each is the number of its line. */
async function* createRecords(count: number): AsyncGenerator<InputRecord> {
  for (let line = 1; line <= count; line += 1) {
    const after = { line, bytes: line, digest: `${line}` };
    yield {
      line,
      lastLine: line,
      end: line,
      text: '',
      after,
      read: () => ({ pet }),
    };
  }
}

test('an import sends on while its journal is saved, and no line that a saved journal does not cover', async () => {
  const count = 10_000;
  const sent: number[] = [];
  const sentDuringSaves: number[] = [];
  let saved: ImportState | undefined;
  let isBeyond = false;

  await importRecords(createRecords(count), {
    state: newImport({ baseUrl: '', errorFile: '' }),
    errors: { bytes: 0, append() {}, async flush() {} },
    concurrency: new Concurrency(100),
    async addPet(_pet, idempotencyKey) {
      const line = Number(idempotencyKey);
      if (line > (saved?.sentLine ?? 0)) isBeyond = true;
      sent.push(line);
      await new Promise(setImmediate);
      return undefined;
    },
    async save(state) {
      const before = sent.length;
      // As long as the service takes for some hundred records.
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      sentDuringSaves.push(sent.length - before);
      saved = state;
    },
    signal: new AbortController().signal,
  });

  expect(isBeyond).toBe(false);
  expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(saved).toMatchObject({ done: { line: count }, sentLine: count, added: count, isComplete: true });
  // The first save is before the first record, and the last one behind the last.
  expect(Math.min(...sentDuringSaves.slice(1, -2))).toBeGreaterThan(0);
});

test('an import whose journal cannot be saved sends no line that it does not cover, and ends with the error', async () => {
  const full = new Error('ENOSPC');
  const sent: number[] = [];
  let saves = 0;
  const done = importRecords(createRecords(10_000), {
    state: newImport({ baseUrl: '', errorFile: '' }),
    errors: { bytes: 0, append() {}, async flush() {} },
    concurrency: new Concurrency(100),
    async addPet(_pet, idempotencyKey) {
      sent.push(Number(idempotencyKey));
      await new Promise(setImmediate);
      return undefined;
    },
    async save() {
      saves += 1;
      if (saves > 1) throw full;
    },
    signal: new AbortController().signal,
  });
  await expect(done).rejects.toBe(full);
  expect(sent.length).toBeGreaterThan(0);
  expect(Math.max(...sent)).toBeLessThanOrEqual(2_001);
});
