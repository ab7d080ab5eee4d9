import type { Deprecation, Scope, Version } from '@petstore/contract';
import * as z from 'zod';
import { openApi, version } from './interface.ts';

export interface Operation {
  name: string;
  method: string;
  /** The path below the base URL, as the OpenAPI document writes it: `/pets/{petId}`. */
  template: string;
  /** Matches the path of a URL. */
  pattern: RegExp;
  /** The example of its request body. */
  body: unknown;
  deprecation?: Deprecation | undefined;
  scope: Scope;
  statuses: readonly number[];
  /** The headers that every response with a status has. */
  headersOf(status: number): readonly string[];
}

/** The members of the OpenAPI document that this file reads. */
interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { headers?: Record<string, { $ref: string }> }> }>
  >;
  components: { headers: Record<string, { schema: unknown; required?: boolean }> };
}

const { contract, prefix }: Version = version;
const { paths, components }: Document = openApi;

function requiredHeaders(template: string, method: string, status: number): string[] {
  const { headers = {} } = paths[template]?.[method.toLowerCase()]?.responses[status] ?? {};
  const isRequired = ({ $ref }: { $ref: string }) => components.headers[$ref.replace(/.*\//, '')]?.required;
  return Object.entries(headers).flatMap(([name, reference]) => (isRequired(reference) ? [name] : []));
}

/** All operations of the contract, so that a new one is covered without editing the checks. */
export const operations: readonly Operation[] = Object.values(contract).flatMap((router) =>
  Object.entries(router).map(([name, route]) => {
    const { method, path, metadata, responses } = route;
    const schema = 'body' in route ? route.body : undefined;
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    return {
      name,
      method,
      template,
      pattern: new RegExp(`/v\\d+${fillIn(template, '[^/]+')}$`),
      body: schema instanceof z.core.$ZodType ? z.globalRegistry.get(schema)?.example : undefined,
      deprecation: metadata.deprecation,
      scope: metadata.scope,
      statuses: Object.keys(responses).map(Number),
      headersOf: (status) => requiredHeaders(template, method, status),
    };
  }),
);

/** The methods of each path of the contract, in alphabetical order. */
export const methodsByPath: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from(
    Map.groupBy(operations, ({ template }) => template),
    ([template, onPath]) => {
      const methods = onPath.map(({ method }) => method);
      return [template, [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].toSorted()];
    },
  ),
);

/** The methods of the path of a URL. */
export const methodsOf = (pathname: string): readonly string[] => {
  const onPath = operations.find(({ pattern }) => pattern.test(pathname));
  return methodsByPath.get(onPath?.template ?? '') ?? [];
};

/** An id that no pet has, unless the deployment assigns negative ids. */
export const NO_ID = '-9223372036854775807';

/** A path of the contract with this value for each of its parameters. */
export function fillIn(template: string, value: string): string {
  return template.replaceAll(/\{\w+\}/g, value);
}

export const isDescribed = (path: string): boolean =>
  operations.some(({ pattern }) => pattern.test(prefix + path));

/**
 * The methods that a path of the contract does not have. They are harmless even to a service that accepts them: they
 * are sent without a body, and DELETE of a whole collection is not among them.
 */
export const otherMethodsOf = (template: string): string[] =>
  ['PUT', 'PATCH', 'POST', ...(template.endsWith('}') ? ['DELETE'] : [])].filter(
    (method) => !methodsByPath.get(template)?.includes(method),
  );
