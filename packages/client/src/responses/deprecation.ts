import { findLink } from '@petstore/contract/link';
import type { Operation } from '../contract.ts';
import type { OperationRequest } from '../requests/request-builders.ts';
import { parseHttpDate } from './http-date.ts';

/** Tells that a deprecated operation is in use. */
export interface DeprecationNotice {
  operation: Operation;
  /** When the operation will be removed, if the service says so. */
  sunset: Date | undefined;
  /** URL of the documentation of the deprecation, if the service names one. */
  documentation: string | undefined;
  /** The notice as a sentence. */
  message: string;
}

/**
 * Creates the function that looks for a `Deprecation` header (RFC 9745) in each response. The first one of an
 * operation is reported with the date of `Sunset` (RFC 8594) and the link to the documentation.
 */
export function createDeprecationNotifier(
  notify: ((notice: DeprecationNotice) => void) | false = ({ message }) => console.warn(message),
): (request: OperationRequest<Operation>, headers: Headers) => void {
  const reported = new Set<Operation>();
  return ({ operation, url }, headers) => {
    if (notify === false || reported.has(operation) || !headers.has('deprecation')) return;
    reported.add(operation);
    const date = parseHttpDate(headers.get('sunset'));
    const sunset = date === undefined ? date : new Date(date);
    const target = findLink(headers.get('link'), 'deprecation');
    const documentation = target === undefined ? target : URL.parse(target, url.href)?.href;
    const removal = sunset ? ` and will be removed on ${sunset.toUTCString()}` : '';
    const page = documentation ? `: see ${documentation}` : '';
    const message = `@petstore/client: ${operation} is deprecated${removal}${page}`;
    notify({ operation, sunset, documentation, message });
  };
}
