import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import { responseHeaders } from '../headers/response-headers.ts';

const headers: NonNullable<ZodOpenApiComponentsObject['headers']> = {
  // A deprecated operation has the Link header in every response; elsewhere it is there only sometimes.
  DeprecationLinks: {
    description:
      'Links (RFC 8288): `<URL>; rel="deprecation"` is the documentation, `successor-version` replaces the operation',
    required: true,
    schema: { type: 'string' },
  },
};
for (const [name, header] of Object.entries(responseHeaders)) {
  headers[name] = { ...header, schema: { type: 'string' } };
}

export const components: ZodOpenApiComponentsObject = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'API key',
      description: 'An API key, passed as a bearer token',
    },
  },
  headers,
};
