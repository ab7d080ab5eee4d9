/** Any function with the shape of the platform's `fetch`; also one that answers from memory. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A deployment of the interface, as the checks reach it. */
export interface Target {
  /** The base address, `/v1` included, with or without a slash at its end. */
  baseUrl: string;
  /** An API key that the deployment accepts. */
  apiKey: string;
  fetch: Fetch;
}

/** The address of a path under the base address. An absolute address stays as it is. */
export function address(target: Target, path: string): string {
  return path.startsWith('/') ? target.baseUrl.replace(/\/+$/, '') + path : path;
}

/** The address of a path beside the version prefix, where the probes are. */
export function addressBeside(target: Target, path: string): string {
  return new URL(`..${path}`, address(target, '/')).href;
}
