import type { FetchResponse } from '../options.ts';

// Five times the largest page. A sender of more is not the service, and may never stop.
export const MAX_BODY_BYTES = 2 ** 25;

/** A body as it was received: text only where the runtime has no streams. */
export type ReceivedBody = Uint8Array[] | string;

/**
 * Reads the body of a response.
 *
 * @returns `undefined` when it is larger than any response of the interface
 * @throws the error of the connection
 */
export async function readBody(
  response: Pick<FetchResponse, 'body' | 'text'>,
): Promise<ReceivedBody | undefined> {
  if (response.body === undefined) return response.text?.();
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let left = MAX_BODY_BYTES; left > 0; ) {
    const read = await reader?.read();
    if (!read?.value) return chunks;
    chunks.push(read.value);
    left -= read.value.length;
  }
  await reader?.cancel();
  return undefined;
}

/**
 * Decodes a body as UTF-8.
 *
 * @throws TypeError when it is not UTF-8: with replacement characters a name would change silently
 */
export function decodeUtf8(body: ReceivedBody): string {
  if (typeof body === 'string') return body;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return body.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
}
