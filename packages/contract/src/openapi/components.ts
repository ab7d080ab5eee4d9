import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import { responseHeaders } from '../response-headers.ts';

const headers: NonNullable<ZodOpenApiComponentsObject['headers']> = {};
for (const [name, { description, example }] of Object.entries(responseHeaders)) {
  headers[name] = { description, schema: { type: 'string' }, example };
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
