import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** The message of a worker to the primary once it serves. */
export const READY = 'ready';

/** What the primary asks its workers for the admin listener. */
type Subject = z.output<typeof Subject>;

const Subject = z.enum(['metrics', 'readiness']);
const Question = z.object({ subject: Subject, id: z.int() });
const Reply = z.object({ replyTo: z.int(), value: z.unknown() });

let lastId = 0;

/**
 * Asks a worker.
 *
 * @returns its reply; `undefined` when it has ended or does not reply in time
 */
export async function askWorker(worker: Worker, subject: Subject, timeoutMs: number): Promise<unknown> {
  if (!worker.isConnected()) return undefined;
  lastId += 1;
  const id = lastId;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const onMessage = (message: unknown) => {
    const { data } = Reply.safeParse(message);
    if (data?.replyTo === id) resolve(data.value);
  };
  const onExit = () => resolve(undefined);
  const timer = new AbortController();
  worker.on('message', onMessage);
  worker.once('exit', onExit);
  try {
    worker.send({ subject, id } satisfies z.output<typeof Question>);
    const late = sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    worker.off('message', onMessage);
    worker.off('exit', onExit);
  }
}

/** Replies to the questions of the primary. */
export function replyToPrimary(sources: Record<Subject, () => Promise<unknown>>): void {
  process.on('message', async (message: unknown) => {
    const { data } = Question.safeParse(message);
    if (data === undefined) return;
    // A primary without a reply goes on without it; an exception here would end the process.
    const value = await sources[data.subject]().catch(() => undefined);
    if (process.connected) process.send?.({ replyTo: data.id, value });
  });
}
