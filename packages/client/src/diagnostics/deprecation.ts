import { findLink } from '@petstore/contract/link';
import type { Operation } from '../contract.ts';
import type { DeprecationNotice, ResponseEvent } from '../hooks.ts';
import { parseHttpDate } from '../responses/retryable.ts';
import { parseUrl } from './parse-url.ts';

/**
 * Creates the function that looks for a `Deprecation` header (RFC 9745) in each response. The first one of an
 * operation is reported with the date of `Sunset` (RFC 8594) and the link to the documentation.
 */
export function createDeprecationNotifier(
  notify: (notice: DeprecationNotice) => void,
): (response: ResponseEvent) => void {
  const reported = new Set<Operation>();
  return ({ operation, url, headers }) => {
    if (reported.has(operation) || !headers.has('deprecation')) return;
    reported.add(operation);
    const date = parseHttpDate(headers.get('sunset'));
    const sunset = date === undefined ? date : new Date(date);
    const target = findLink(headers.get('link'), 'deprecation');
    const documentation = target === undefined ? target : parseUrl(target, url)?.href;
    const removal = sunset ? ` and will be removed on ${sunset.toUTCString()}` : '';
    const page = documentation ? `: see ${documentation}` : '';
    const message = `@petstore/client: ${operation} is deprecated${removal}${page}`;
    notify({ operation, sunset, documentation, message });
  };
}
