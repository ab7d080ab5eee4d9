import { int64Bounds, type Version } from '@petstore/contract';
import * as z from 'zod';
import { openApi, version } from './interface.ts';

/** The members of the OpenAPI document that this file reads. */
interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { headers?: Record<string, { $ref: string }> }> }>
  >;
  components: { headers: Record<string, { required?: boolean; [member: string]: unknown }> };
}

// A `Version`, because the metadata of each route may then have a `deprecation`.
const { contract }: Version = version;
const { paths, components }: Document = openApi;

function requiredHeaders(template: string, method: string, status: number): string[] {
  const { headers = {} } = paths[template]?.[method.toLowerCase()]?.responses[status] ?? {};
  const isRequired = (ref: string) => components.headers[ref.replace('#/components/headers/', '')]?.required;
  return Object.entries(headers).flatMap(([name, { $ref }]) => (isRequired($ref) ? [name] : []));
}

/** All operations of the contract, so that a new one is covered without editing the checks. */
export const operations = Object.values(contract).flatMap((router) =>
  Object.entries(router).map(([name, route]) => {
    const { method, path, metadata } = route;
    const { deprecation, scope } = metadata;
    const schema = 'body' in route ? route.body : undefined;
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    return {
      name,
      method,
      deprecation,
      scope,
      /** The path below the base URL, as the OpenAPI document writes it: `/pets/{petId}`. */
      template,
      /** Matches the path of a URL. */
      pattern: new RegExp(`/v\\d+${fillIn(template, '[^/]+')}$`),
      exampleBody: schema instanceof z.core.$ZodType ? z.globalRegistry.get(schema)?.example : undefined,
      /** The headers that every response with a status has. */
      headersOf: (status: number) => requiredHeaders(template, method, status),
    };
  }),
);

export type Operation = (typeof operations)[number];

/** The methods of a path of the contract, in alphabetical order. */
export function methodsOf(path: string): readonly string[] {
  const methods = operations.filter(({ template }) => template === path).map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].toSorted();
}

/** The operations that the path of a URL has. */
export const operationsAt = (pathname: string): Operation[] =>
  operations.filter(({ pattern }) => pattern.test(pathname));

/** An id that no pet has, unless the deployment assigns negative ids. */
export const NO_ID = `${int64Bounds.minimum}`;

/** A path of the contract with this value for each of its parameters. */
export function fillIn(template: string, value: string): string {
  return template.replaceAll(/\{\w+\}/g, value);
}
