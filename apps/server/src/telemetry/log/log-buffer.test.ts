import { expect, test } from 'vitest';
import { LogBuffer, MAX_BUFFERED } from './log-buffer.ts';
import type { LogSink } from './log-sink.ts';

/** A sink in memory, which can refuse writes or take a part of them. */
class MemorySink implements LogSink {
  readonly chunkBytes = 100;
  readonly chunks: string[] = [];
  isFull = false;
  isClosed = false;
  maxWriteBytes = Number.POSITIVE_INFINITY;
  onWrite = () => {};

  async write(bytes: Buffer): Promise<number> {
    if (this.isFull) throw new Error('ENOSPC');
    const taken = bytes.subarray(0, this.maxWriteBytes);
    this.chunks.push(taken.toString());
    this.onWrite();
    return taken.length;
  }

  close(): void {
    this.isClosed = true;
  }

  get lines(): string[] {
    return this.chunks.join('').split('\n').slice(0, -1);
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

test('lines leave in their order, in chunks of whole lines that are no longer than the sink takes', async () => {
  const sink = new MemorySink();
  await using log = new LogBuffer(sink);
  for (const number of numbers(1_000)) log.write(`ñ${number}\n`);
  await expect.poll(() => sink.lines).toEqual(numbers(1_000).map((number) => `ñ${number}`));
  expect(sink.chunks.length).toBeLessThan(100);
  for (const chunk of sink.chunks) {
    expect(chunk.endsWith('\n')).toBe(true);
    expect(Buffer.byteLength(chunk)).toBeLessThanOrEqual(sink.chunkBytes);
  }
});

test('lines that come while others leave are gathered too', async () => {
  const sink = new MemorySink();
  await using log = new LogBuffer(sink);
  let rest = 20;
  sink.onWrite = () => {
    rest -= 1;
    if (rest > 0) log.write(`${rest}\n`);
  };
  const start = performance.now();
  log.write('first\n');
  await expect.poll(() => rest).toBe(0);
  expect(performance.now() - start).toBeGreaterThan(20 * 8);
});

test('after a failure, or a part that was taken, the rest follows', async () => {
  const sink = new MemorySink();
  sink.isFull = true;
  sink.maxWriteBytes = 7;
  await using log = new LogBuffer(sink);
  for (const number of numbers(100)) log.write(`${number}\n`);
  setTimeout(() => {
    sink.isFull = false;
  }, 50);
  await expect.poll(() => sink.lines).toEqual(numbers(100));
});

test('lines that are not taken are dropped beyond a size, and their number is logged in their place', async () => {
  const sink = new MemorySink();
  sink.isFull = true;
  await using log = new LogBuffer(sink);
  const line = `${'x'.repeat(1_023)}\n`;
  const taken = MAX_BUFFERED / line.length + 1;
  for (let number = 0; number < taken + 500; number += 1) log.write(line);
  sink.isFull = false;
  await expect.poll(() => sink.lines.length).toBe(taken);
  log.write('the next\n');
  await expect.poll(() => sink.lines.length).toBe(taken + 2);
  const [report = '', next] = sink.lines.slice(-2);
  expect(JSON.parse(report)).toMatchObject({ level: 40, dropped: 500 });
  expect(next).toBe('the next');
});

test('the end waits for the last lines, but not for long when they cannot leave', async () => {
  const sink = new MemorySink();
  const log = new LogBuffer(sink);
  log.write('last words\n');
  await log[Symbol.asyncDispose]();
  expect(sink).toMatchObject({ lines: ['last words'], isClosed: true });

  const stuck = new LogBuffer(
    Object.assign(new MemorySink(), { write: () => Promise.withResolvers<number>().promise }),
  );
  stuck.write('unheard\n');
  const start = performance.now();
  await stuck[Symbol.asyncDispose]();
  expect(performance.now() - start).toBeLessThan(20_000);
});
