import type { ServerResponse } from 'node:http';

/** So that the first response of many is not late. */
const MAX_BATCH = 16;

let batch: { res: ServerResponse; body: string | Buffer | undefined }[] = [];

/**
 * Ends a response together with the others of this turn of the event loop. A client that waits is woken
 * once for all of them. Without it a cached pet takes 1.66 times the processor time. Uncached pets of SQLite, whose reads
 * come in batches, and creations take as much without it: 24,000 requests of each over 32 connections, 2,000 to a process
 * with it and 2,000 to one without it by turns (medians of five pairs).
 */
export function endInBatch(res: ServerResponse, body: string | Buffer | undefined): void {
  if (batch.length === 0) setImmediate(endBatch);
  batch.push({ res, body });
  if (batch.length >= MAX_BATCH) endBatch();
}

function endBatch(): void {
  const ready = batch;
  batch = [];
  for (const { res, body } of ready) {
    try {
      res.end(body);
    } catch (error) {
      // The others must leave nevertheless.
      res.destroy(error instanceof Error ? error : undefined);
    }
  }
}
