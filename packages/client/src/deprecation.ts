import { findLink } from '@petstore/contract/link';
import type { Call } from './calls.ts';
import type { Operation } from './contract.ts';
import { parseDate } from './date.ts';

/** Says that an operation in use is deprecated. */
export interface DeprecationNotice {
  operation: Operation;
  /** When the operation is to be removed, where the service says so. */
  sunset: Date | undefined;
  /** Address of a page about it, where the service says so. */
  documentation: string | undefined;
  /** All of it in a sentence. */
  message: string;
}

/**
 * Makes the function that looks for a `Deprecation` field (RFC 9745) in each answer and gives notice of
 * it once an operation, with the date of its `Sunset` (RFC 8594) and its documentation.
 */
export function createDeprecationNotice(
  notify: ((notice: DeprecationNotice) => void) | false = ({ message }) => console.warn(message),
): (call: Call<Operation>, headers: Headers) => void {
  const known = new Set<Operation>();
  return ({ operation, address }, headers) => {
    if (notify === false || known.has(operation) || !headers.has('deprecation')) return;
    known.add(operation);
    const date = parseDate(headers.get('sunset'));
    const sunset = date === undefined ? undefined : new Date(date);
    const target = findLink(headers.get('link'), 'deprecation');
    const documentation = target === undefined ? undefined : URL.parse(target, address.href)?.href;
    const removal = sunset ? ` and is to be removed on ${sunset.toUTCString()}` : '';
    const page = documentation ? `: see ${documentation}` : '';
    const message = `@petstore/client: ${operation} is deprecated${removal}${page}`;
    notify({ operation, sunset, documentation, message });
  };
}
