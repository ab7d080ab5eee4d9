import { startProxy } from '@petstore/test-support/proxy';

/** Starts a proxy that leads to a PostgreSQL server, with the URL of the database behind it. */
export async function startPostgresProxy({ url }: { url: string }) {
  const proxied = new URL(url);
  const proxy = await startProxy(`http://${proxied.host}`);
  proxied.host = new URL(proxy.origin).host;
  return { ...proxy, url: proxied.href };
}
