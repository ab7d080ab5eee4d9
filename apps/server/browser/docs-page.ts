/**
 * The script of `/docs`: Scalar's API reference, which keeps the API key over a reload if its reader wants it.
 * Scalar's own `persistAuth` keeps every key or none.
 */

/** The part of Scalar's global that is used here. */
declare const Scalar: {
  createApiReference(selector: string, configuration: object): void;
};

/** What Scalar tells its plugins about the credentials that were entered. */
interface Authentication {
  /** By document, then by security scheme. */
  export(): Record<string, { secrets: Record<string, Record<string, unknown>> }>;
}

/** Where the key is kept. There is an entry while the reader wants it, empty as long as no key is entered. */
const STORED = 'petstore-api-key';

let authentication: Authentication | undefined;

const checkbox = document.querySelector<HTMLInputElement>('#keep-key');

const stored = readStoredKey();

function readStoredKey(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    // The browser blocks storage.
    return null;
  }
}

function readEnteredKey(): string {
  const [entered] = Object.values(authentication?.export() ?? {});
  const token = entered?.secrets.bearer?.['x-scalar-secret-token'];
  // Scalar does not tell its plugins of the key that it was started with.
  return typeof token === 'string' ? token : (stored ?? '');
}

function storeKey(): void {
  if (checkbox?.checked) localStorage.setItem(STORED, readEnteredKey());
  else localStorage.removeItem(STORED);
}

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

if (checkbox) checkbox.checked = stored !== null;
checkbox?.addEventListener('change', storeKey);
addEventListener('pagehide', storeKey);

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
  authentication: { securitySchemes: { bearer: { token: stored ?? '' } } },
  plugins: [
    () => ({
      name: 'keep-key',
      extensions: [],
      hooks: {
        onInit(state: { auth: Authentication }) {
          authentication = state.auth;
        },
      },
    }),
  ],
});
