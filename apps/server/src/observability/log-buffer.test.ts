import { expect, test } from 'vitest';
import { Log, MAX_WAITING } from './log-buffer.ts';
import type { Outlet } from './log-sink.ts';

/** An outlet that takes nothing while it is shut, and some bytes at a time. */
class Trial implements Outlet {
  readonly pieceBytes = 100;
  readonly pieces: string[] = [];
  isShut = false;
  isClosed = false;
  takesAtOnce = Number.POSITIVE_INFINITY;
  onWrite = () => {};

  async write(bytes: Buffer): Promise<number> {
    if (this.isShut) throw new Error('ENOSPC');
    const taken = bytes.subarray(0, this.takesAtOnce);
    this.pieces.push(taken.toString());
    this.onWrite();
    return taken.length;
  }

  close(): void {
    this.isClosed = true;
  }

  get lines(): string[] {
    return this.pieces.join('').split('\n').slice(0, -1);
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

test('lines leave in their order, in pieces of whole lines that are no longer than the outlet takes', async () => {
  const outlet = new Trial();
  await using log = new Log(outlet);
  for (const number of numbers(1_000)) log.write(`ñ${number}\n`);
  await expect.poll(() => outlet.lines).toEqual(numbers(1_000).map((number) => `ñ${number}`));
  expect(outlet.pieces.length).toBeLessThan(100);
  for (const piece of outlet.pieces) {
    expect(piece.endsWith('\n')).toBe(true);
    expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(outlet.pieceBytes);
  }
});

test('lines that come while others leave are gathered too', async () => {
  const outlet = new Trial();
  await using log = new Log(outlet);
  let rest = 20;
  outlet.onWrite = () => {
    rest -= 1;
    if (rest > 0) log.write(`${rest}\n`);
  };
  const start = performance.now();
  log.write('first\n');
  await expect.poll(() => rest).toBe(0);
  expect(performance.now() - start).toBeGreaterThan(20 * 8);
});

test('after a failure, or a part that was taken, the rest follows', async () => {
  const outlet = new Trial();
  outlet.isShut = true;
  outlet.takesAtOnce = 7;
  await using log = new Log(outlet);
  for (const number of numbers(100)) log.write(`${number}\n`);
  setTimeout(() => {
    outlet.isShut = false;
  }, 50);
  await expect.poll(() => outlet.lines).toEqual(numbers(100));
});

test('lines that nobody takes are lost beyond a bound, and their number stands in their place', async () => {
  const outlet = new Trial();
  outlet.isShut = true;
  await using log = new Log(outlet);
  const line = `${'x'.repeat(1_023)}\n`;
  const taken = MAX_WAITING / line.length + 1;
  for (let number = 0; number < taken + 500; number += 1) log.write(line);
  outlet.isShut = false;
  await expect.poll(() => outlet.lines.length).toBe(taken);
  log.write('the next\n');
  await expect.poll(() => outlet.lines.length).toBe(taken + 2);
  const [report = '', next] = outlet.lines.slice(-2);
  expect(JSON.parse(report)).toMatchObject({ level: 40, lost: 500 });
  expect(next).toBe('the next');
});

test('the end waits for the last lines, but not for long when they cannot leave', async () => {
  const outlet = new Trial();
  const log = new Log(outlet);
  log.write('last words\n');
  await log[Symbol.asyncDispose]();
  expect(outlet).toMatchObject({ lines: ['last words'], isClosed: true });

  const stuck = new Log(Object.assign(new Trial(), { write: () => Promise.withResolvers<number>().promise }));
  stuck.write('unheard\n');
  const start = performance.now();
  await stuck[Symbol.asyncDispose]();
  expect(performance.now() - start).toBeLessThan(2_000);
});
