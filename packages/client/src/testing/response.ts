/** An answer with a JSON text, which no cache may keep unless a field says so. */
export function json(status: number, text: string, headers: Record<string, string> = {}): Response {
  const fields = { 'cache-control': 'no-store', ...headers, 'content-type': 'application/json' };
  return new Response(text, { status, headers: fields });
}

/** An answer to a GET, which a cache may keep and revalidate (RFC 9110, section 13.1.2). */
export async function cacheable(
  request: Request,
  text: string,
  extra: Record<string, string> = {},
): Promise<Response> {
  const { link = '' } = extra;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(link + text));
  const etag = `"${btoa(String.fromCharCode(...new Uint8Array(digest)))}"`;
  const headers = { ...extra, etag, 'cache-control': 'private, no-cache' };
  const known = (request.headers.get('if-none-match') ?? '').split(/\s*,\s*/);
  const unchanged = known.some((tag) => tag.replace(/^W\//, '') === etag);
  return unchanged ? new Response(null, { status: 304, headers }) : json(200, text, headers);
}
