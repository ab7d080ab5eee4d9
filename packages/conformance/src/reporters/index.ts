import type { Result } from '../run/run.ts';
import { github } from './github.ts';
import { junit } from './junit.ts';
import { lines } from './lines.ts';

/** Turns results into text, piece by piece. */
export type Reporter = (results: AsyncIterable<Result>) => AsyncIterable<string>;

export const reporters = { lines, github, junit } as const satisfies Record<string, Reporter>;
