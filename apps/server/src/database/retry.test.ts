import { expect, test, vi } from 'vitest';
import { retry } from './retry.ts';

test('an attempt that fails at once is repeated with pauses until the time is over', async () => {
  const attempt = vi.fn(() => Promise.reject(new Error('locked')));
  await expect(retry(attempt, { when: () => true, forMs: 100, pauseMs: 20 })).rejects.toThrow('locked');
  // Pauses are random. The shortest, of a millisecond, would allow 100 attempts, and no pauses many thousand.
  expect(attempt.mock.calls.length).toSatisfy((count) => count > 1 && count < 200);
});
