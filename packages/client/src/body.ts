// Five times the largest page. Whoever sends more than this is not the service, and may send without end.
const MOST_BYTES = 2 ** 25;

/**
 * Reads the body of an answer.
 *
 * @returns its bytes, or `undefined` when there are more than an answer of the interface can have
 * @throws what the network does
 */
export async function readBody({ body }: Response): Promise<ArrayBuffer | undefined> {
  const reader = body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let left = MOST_BYTES; left > 0; ) {
    const part = await reader?.read();
    if (!part?.value) return new Blob(chunks).arrayBuffer();
    chunks.push(part.value);
    left -= part.value.length;
  }
  await reader?.cancel();
  return undefined;
}
