import type { ServerResponse } from 'node:http';

/** Answers that wait for one another at the most, so that the first of many is not late. */
const MAX_TOGETHER = 16;

let ready: { res: ServerResponse; body: string | undefined }[] = [];

/**
 * Ends an answer together with the others that are ready in this turn of the event loop: a caller that is
 * asleep is woken once for all of them, and under load waking can cost as much as the rest of a request. An
 * answer that is alone leaves at the end of the turn.
 */
export function endTogether(res: ServerResponse, body?: string): void {
  if (ready.length === 0) setImmediate(endAll);
  ready.push({ res, body });
  if (ready.length >= MAX_TOGETHER) endAll();
}

function endAll(): void {
  const answers = ready;
  ready = [];
  for (const { res, body } of answers) res.end(body);
}
