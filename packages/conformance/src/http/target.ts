/** A function with the signature of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A deployment of the interface. */
export interface Target {
  /** The base URL, version prefix included, with or without a slash at its end. */
  baseUrl: string;
  /** An API key that the deployment accepts. */
  apiKey: string;
  /** An API key that may only read, for `scopeChecks`. */
  readApiKey?: string | undefined;
  fetch: Fetch;
  /** Aborts the requests of a check. */
  signal?: AbortSignal | undefined;
}

/** The URL of a path below the base URL. An absolute URL stays as it is. */
export function urlOf(target: Target, path: string): string {
  return path.startsWith('/') ? target.baseUrl.replace(/\/+$/, '') + path : path;
}

/** The URL of a path beside the version prefix. */
export function urlBeside(target: Target, path: string): string {
  return new URL(`..${path}`, urlOf(target, '/')).href;
}
