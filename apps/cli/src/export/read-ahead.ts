/** Yields the same values, and asks for the next one while one is in use. */
export async function* readAhead<Value>(source: AsyncIterable<Value>): AsyncGenerator<Value> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const { done, value } = await next;
    if (done) return;
    next = iterator.next();
    // Thrown when it is awaited, if it is.
    next.catch(() => {});
    yield value;
  }
}
