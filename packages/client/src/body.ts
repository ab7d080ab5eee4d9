// Five times the largest page. Whoever sends more than this is not the service, and may send without end.
const MOST_BYTES = 2 ** 25;

/**
 * Reads the body of an answer.
 *
 * @returns its bytes in pieces, or `undefined` when there are more than an answer of the interface can have
 * @throws what the network does
 */
export async function readBody({ body }: Response): Promise<Uint8Array[] | undefined> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  for (let left = MOST_BYTES; left > 0; ) {
    const part = await reader?.read();
    if (!part?.value) return pieces;
    pieces.push(part.value);
    left -= part.value.length;
  }
  await reader?.cancel();
  return undefined;
}

/** The text of a body. @throws TypeError when it is not UTF-8: with signs put in its place, a name would change */
export function decode(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}
