import { NetworkError } from '../errors/index.ts';
import type { RequestErrorEvent } from '../hooks.ts';

/** What the TLS libraries of Node.js, Bun and Deno say about a response that is not TLS. */
const NOT_TLS = /wrong.version.number|packet.length.too.long|InvalidContentType|speak TLS on this port/i;

/**
 * Ends a call to a port that does not speak TLS, which no retry changes. The runtime's message alone names the
 * internals of its TLS library.
 *
 * @throws NetworkError that names the cause
 */
export function explainWrongScheme({ url, error }: RequestErrorEvent): void {
  const { message, idempotencyKey, cause } = error;
  if (!/^https:/i.test(url) || !NOT_TLS.test(message)) return;
  throw new NetworkError(`${message.trim()}; baseUrl begins with https://, but this port speaks http`, {
    code: 'network_error',
    status: undefined,
    idempotencyKey,
    isRetryable: false,
    cause,
  });
}
