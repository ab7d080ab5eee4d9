/**
 * The script of `/docs`: Scalar's API reference. It keeps no API key: Scalar's `persistAuth` would keep every one in the
 * browser, also on a machine that its reader shares with others.
 */

/** The part of Scalar's global that is used here. */
declare const Scalar: {
  createApiReference(selector: string, configuration: object): void;
};

/**
 * Fetches for Scalar, which reads the document with JSON.parse: that rounds the bounds of an int64, so they are
 * left out of what the page shows.
 */
async function fetchWithoutRounding(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.url.endsWith('/openapi.json')) return response;
  const isRounded = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);
  const document: unknown = JSON.parse(await response.text(), (_name, value: unknown) =>
    isRounded(value) ? undefined : value,
  );
  return Response.json(document);
}

Scalar.createApiReference('#reference', {
  // Relative, for a gateway that puts a prefix before the path.
  url: 'openapi.json',
  customFetch: fetchWithoutRounding,
  // The file itself, not what Scalar makes of it.
  documentDownloadType: 'direct',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // Else the operations are hidden after a reload.
  defaultOpenAllTags: true,
});
