/**
 * The script of `/docs`. Scalar's `persistAuth` stays off: it would store API keys in a browser that people may share.
 */

declare const Scalar: {
  createApiReference(selector: string, configuration: object): void;
};

/** Removes the bounds of an int64 from the document, because Scalar's JSON.parse would round them. */
async function fetchWithoutRounding(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.ok || !response.url.endsWith('/openapi.json')) return response;
  const isRounded = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);
  const document: unknown = JSON.parse(await response.text(), (_name, value: unknown) =>
    isRounded(value) ? undefined : value,
  );
  return Response.json(document);
}

Scalar.createApiReference('#reference', {
  // Relative, because a gateway may add a prefix to the path.
  url: 'openapi.json',
  customFetch: fetchWithoutRounding,
  // The file itself, unchanged by Scalar.
  documentDownloadType: 'direct',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // Otherwise a reload hides the operations.
  defaultOpenAllTags: true,
});
