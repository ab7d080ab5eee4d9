/** The options of a request that adds a pet. */
export const creation = (name = 'a', headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: JSON.stringify({ name, categoryId: 1 }),
  headers,
});

/** Creates a `fetch` of paths below a URL that sends an API key, and a body as JSON. */
export const fetchWithKey =
  (url: string, apiKey: string) =>
  (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(init.body && { 'content-type': 'application/json' }),
        ...Object.fromEntries(new Headers(init.headers)),
      },
    });
