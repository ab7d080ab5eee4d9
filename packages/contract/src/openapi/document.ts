import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { INTERFACE_VERSION } from '../interface-version.ts';
import { replaceBigInt } from '../json/json.ts';
import { v1 } from '../v1/v1.ts';
import { int64Bounds } from '../values.ts';
import type { Version } from '../version.ts';
import { introduction } from './introduction.ts';
import { renderOperation } from './render-operation.ts';

/** An OpenAPI document. Write it with `stringifyJson`: the bounds of an int64 are bigints, contrary to the type. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Base URLs of the two environments. A missing URL becomes a variable of the document. */
export interface Servers {
  production?: string | undefined;
  staging?: string | undefined;
}

/**
 * Renders a version of the contract as an OpenAPI 3.1 document.
 * @param servers base URLs with the version prefix
 * @param version @default v1
 */
export function openApiDocument(
  { production, staging }: Servers = {},
  version: Version = v1,
): OpenApiDocument {
  const description = isLocal(production) ? 'This server' : 'Production';
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Pet Store Service: Animals Interface',
        version: INTERFACE_VERSION,
        description: introduction,
        contact: { name: 'Pet Store team', url: 'https://petstore.example/support' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [
        server(description, production, 'base_url', `https://petstore.example${version.prefix}`),
        server('Staging', staging, 'staging_base_url', `https://staging.petstore.example${version.prefix}`),
      ],
      security: [{ bearer: [] }],
      tags: Object.entries(version.tags).map(([name, description]) => ({ name, description })),
      paths: paths(version),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'API key',
            description: 'An API key, passed as a bearer token',
          },
        },
      },
    },
    {
      override({ zodSchema, jsonSchema }) {
        const { def } = zodSchema._zod;
        // A later release may add properties, so objects do not forbid them. Only strict objects do.
        if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties;
      },
    },
  );
  correctSchemas(document);
  return document;
}

/** Corrects three things that zod-openapi renders. */
function correctSchemas(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  // zod cannot render bounds that are bigints.
  if ('format' in value && value.format === 'int64') Object.assign(value, int64Bounds);
  // The patterns of zod's formats use syntax that some tools do not know. The format says the same.
  if ('format' in value && 'pattern' in value) delete value.pattern;
  // zod-openapi leaves a parameter's metadata in its schema if the schema is a reference.
  if ('$ref' in value && 'param' in value) delete value.param;
  for (const member of Object.values(value)) correctSchemas(member);
}

function server(description: string, url: string | undefined, variable: string, example: string) {
  if (url !== undefined) return { url, description };
  return { url: `{${variable}}`, description, variables: { [variable]: { default: example } } };
}

/** Whether a base URL is relative or on the caller's own machine. The document does not call it production. */
function isLocal(url: string | undefined): boolean {
  if (url === undefined) return false;
  const { hostname } = new URL(url, 'http://localhost');
  return /^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(hostname);
}

function paths({ contract }: Version): ZodOpenApiPathsObject {
  const result: ZodOpenApiPathsObject = {};
  for (const [resource, router] of Object.entries(contract)) {
    for (const [operationId, route] of Object.entries(router)) {
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      result[path] = {
        ...result[path],
        [route.method.toLowerCase()]: renderOperation(operationId, route, resource),
      };
    }
  }
  return result;
}

/** The text of the committed `openapi.json`. It is indented, which `stringifyJson` cannot do. */
export function renderOpenApi(): string {
  return `${JSON.stringify(openApiDocument(), replaceBigInt, 2)}\n`;
}
