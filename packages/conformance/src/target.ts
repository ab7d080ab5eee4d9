/** Any function with the shape of the platform's `fetch`; also one that responds from memory. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A deployment of the interface, as the checks reach it. */
export interface Target {
  /** The base URL, version prefix included, with or without a slash at its end. */
  baseUrl: string;
  /** An API key that the deployment accepts. */
  apiKey: string;
  /** An API key that may only read, for `scopeChecks`. */
  readApiKey?: string | undefined;
  fetch: Fetch;
  /** Ends what a check has sent, and keeps it from sending more. */
  signal?: AbortSignal | undefined;
}

/** The URL of a path below the base URL. An absolute URL stays as it is. */
export function urlOf(target: Target, path: string): string {
  return path.startsWith('/') ? target.baseUrl.replace(/\/+$/, '') + path : path;
}

/** The URL of a path beside the version prefix, where the probes are. */
export function urlBeside(target: Target, path: string): string {
  return new URL(`..${path}`, urlOf(target, '/')).href;
}
