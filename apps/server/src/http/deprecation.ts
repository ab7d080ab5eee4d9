import { type Deprecation, deprecationHeaders } from '@petstore/contract';
import type { Express } from 'express';
import type { Addresses } from './addresses.ts';

/**
 * Announces the removal of a deprecated GET on every answer of its route, the refused ones too. The path
 * is matched without its parameters, which nobody looks at before the API key.
 */
export function announceDeprecation(
  app: Express,
  { path, metadata }: { path: string; metadata: { deprecation: Deprecation } },
  addresses: Addresses,
): void {
  const headers = Object.entries(
    deprecationHeaders(metadata.deprecation, { documentation: addresses.docs, baseUrl: addresses.base }),
  );
  app.get(new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`), (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  });
}
