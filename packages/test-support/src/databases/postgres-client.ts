import pg from 'pg';

/** Opens a connection of its own, which ends when it is disposed. */
export async function connectPostgres(url: string) {
  const client = new pg.Client(url);
  // Without a listener, a server that ends would end this process.
  client.on('error', () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Runs SQL on a connection of its own. @returns the rows of a single statement */
export async function runPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  await using client = await connectPostgres(url);
  return (await client.query(text)).rows;
}
