import { expect, onTestFinished, test, vi } from 'vitest';
import { withProgress } from './output.ts';

test('on a terminal the progress is shown while work runs, and cleared once it ends', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { isTTY } = process.stderr;
  using write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.stderr.isTTY = true;
  await withProgress(async (onProgress) => {
    onProgress(0.25);
    await vi.advanceTimersByTimeAsync(1_000);
  }).finally(() => Object.assign(process.stderr, { isTTY }));
  const shown = ['25 %, 2 s left', '25 %, 3 s left', ''];
  expect(write.mock.calls.map(([text]) => text)).toEqual(shown.map((text) => `\r\u001b[K${text}`));
  expect(vi.getTimerCount()).toBe(0);
});
