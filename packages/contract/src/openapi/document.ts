import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { contract, VERSION_PREFIX } from '../contract.ts';
import { components } from './components.ts';
import { operation } from './operation.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Addresses of the two environments; one that is not configured stays a variable to fill in. */
export interface Servers {
  production?: string | undefined;
  staging?: string | undefined;
}

const RESOURCES = [
  { router: contract.pets, tag: { name: 'pets', description: 'The animals available for adoption' } },
];

/**
 * Renders the contract as an OpenAPI 3.1 document.
 *
 * @param servers base addresses, with the version prefix, that the document names
 */
export function openApiDocument({ production, staging }: Servers = {}): OpenApiDocument {
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Pet Store Service: Animals Interface',
        version: '1.0.0',
        description:
          'A pet store catalogue: list the animals available for adoption, add one, fetch one. ' +
          'Identifiers are 64-bit integers and JSON numbers: read them without rounding.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [
        production === undefined
          ? unconfigured('base_url', 'Production', 'http://localhost:3000/v1')
          : { url: production, description: 'Production' },
        staging === undefined
          ? unconfigured('staging_base_url', 'Staging', 'http://localhost:3001/v1')
          : { url: staging, description: 'Staging' },
      ],
      security: [{ bearer: [] }],
      tags: RESOURCES.map(({ tag }) => tag),
      paths: paths(),
      components,
    },
    // A caller must be ready for members that a later release adds.
    { override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties },
  );
}

function unconfigured(name: string, description: string, value: string) {
  return {
    url: `{${name}}`,
    description,
    variables: { [name]: { default: value, description: `Base address, with the version prefix` } },
  };
}

/** Paths stand relative to the base address, which already includes the version prefix. */
function paths(): ZodOpenApiPathsObject {
  const result: ZodOpenApiPathsObject = {};
  for (const { router, tag } of RESOURCES) {
    for (const [operationId, route] of Object.entries(router)) {
      const path = pathTemplate(route.path);
      result[path] = {
        ...result[path],
        [route.method.toLowerCase()]: operation(operationId, route, tag.name),
      };
    }
  }
  return result;
}

const pathTemplate = (path: string) => path.slice(VERSION_PREFIX.length).replaceAll(/:(\w+)/g, '{$1}');

/** The document as the text of the committed `openapi.json`. */
export const renderOpenApi = () => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
