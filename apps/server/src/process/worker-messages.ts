import type { Worker } from 'node:cluster';
import { z } from 'zod';

/** The message of a worker to the primary once it serves. */
export const READY = 'ready';

const subjects = ['metrics', 'readiness'] as const;

/** What the primary asks its workers for the admin listener. */
type Subject = (typeof subjects)[number];

const Question = z.object({ subject: z.enum(subjects), id: z.int() });
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
  const question: z.output<typeof Question> = { subject, id: lastId };
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const onMessage = (message: unknown) => {
    const { data } = Reply.safeParse(message);
    if (data?.replyTo === question.id) resolve(data.value);
  };
  const giveUp = () => resolve(undefined);
  const timer = setTimeout(giveUp, timeoutMs);
  worker.on('message', onMessage).once('exit', giveUp);
  worker.send(question);
  const reply = await promise;
  clearTimeout(timer);
  worker.off('message', onMessage).off('exit', giveUp);
  return reply;
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
