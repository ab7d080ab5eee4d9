import { expect, onTestFinished, test, vi } from 'vitest';
import { withProgress } from './output.ts';

test('on a terminal the progress is shown while work runs, and cleared once it ends', async () => {
  vi.useFakeTimers();
  const { isTTY } = process.stderr;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    Object.assign(process.stderr, { isTTY });
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  process.stderr.isTTY = true;
  const working = withProgress(async (onProgress) => {
    onProgress(0.25);
    await vi.advanceTimersByTimeAsync(1_000);
    throw new Error('failed');
  });
  await expect(working).rejects.toThrow('failed');
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    '\r\u001b[K25 %, 2 s left',
    '\r\u001b[K25 %, 3 s left',
    '\r\u001b[K',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
