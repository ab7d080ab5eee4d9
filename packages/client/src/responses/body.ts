import type { FetchResponse } from '../options.ts';

// Five times the largest page. A sender of more is not the service, and may never stop.
export const MAX_BODY_BYTES = 2 ** 25;

/**
 * Reads the body of a response.
 *
 * @returns its chunks, or `undefined` when it is larger than any response of the interface
 * @throws the error of the connection
 */
export async function readBody({ body }: Pick<FetchResponse, 'body'>): Promise<Uint8Array[] | undefined> {
  const reader = body?.getReader();
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
export function decodeUtf8(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
}
