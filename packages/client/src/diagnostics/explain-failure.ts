import { NetworkError } from '../errors.ts';
import type { Hooks, RequestErrorEvent } from '../hooks.ts';
import { reasonOf } from '../transport/attempt.ts';

/** A failure that no retry changes: the message of `sendRequest` or of a runtime, and the remedy. */
type Cause = readonly [pattern: RegExp, remedy: string];

const CAUSES: readonly Cause[] = [
  // The messages of OpenSSL, Deno and Bun.
  [
    /wrong.version.number|packet.length.too.long|InvalidContentType|speak TLS on this port/i,
    'baseUrl begins with https://, but this port speaks http',
  ],
  [/certificate/i, 'check the certificate, or name its authority in NODE_EXTRA_CA_CERTS'],
  [/^bad port$/, 'fetch blocks this port: use another one'],
  [/(invalid .+ header|header not supported)$/, '`fetch` refuses this header: remove it from `headers`'],
  [/^a body of more than/, 'no response of the interface is so long'],
];

// The code in Node.js and Bun, and the messages of Linux, macOS and Windows in Deno.
const NO_SUCH_HOST: Cause = [
  /ENOTFOUND|(name or service|servname).*not known|no such host/i,
  'there is no such host: check baseUrl',
];

/**
 * Creates hooks that end a call at once if no retry helps, and add the remedy to the runtime's message. Once the
 * service has responded, an unknown host is transient: container platforms remove a service's name while it restarts.
 */
export function createFailureExplainer(): Hooks {
  let causes: readonly Cause[] = [...CAUSES, NO_SUCH_HOST];
  return {
    onResponse() {
      causes = CAUSES;
    },
    onError({ error }: RequestErrorEvent) {
      const [, remedy] = causes.find(([pattern]) => pattern.test(reasonOf(error.cause))) ?? [];
      if (error.code !== 'network_error' || !remedy) return;
      throw new NetworkError(`${error.message}; ${remedy}`, {
        ...error,
        isRetryable: false,
        cause: error.cause,
      });
    },
  };
}
