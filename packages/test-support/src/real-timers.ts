import { afterEach, vi } from 'vitest';

// The fake timers of a test end with it.
afterEach(() => void vi.useRealTimers());
