import type { Deprecation, Scope, Version } from '@petstore/contract';
import * as z from 'zod';
import { version } from './interface.ts';

export interface Operation {
  name: string;
  method: string;
  /** The path below the base URL, as the OpenAPI document writes it: `/pets/{petId}`. */
  template: string;
  /** The example of its request body. */
  body: unknown;
  deprecation?: Deprecation | undefined;
  scope: Scope;
}

const { contract }: Version = version;

/** All operations of the contract, so that a new one is covered without editing the checks. */
export const operations: readonly Operation[] = Object.values(contract).flatMap((router) =>
  Object.entries(router).map(([name, route]) => {
    const { method, path, metadata } = route;
    const schema = 'body' in route ? route.body : undefined;
    const body = schema instanceof z.core.$ZodType ? z.globalRegistry.get(schema)?.example : undefined;
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    return { name, method, template, body, deprecation: metadata.deprecation, scope: metadata.scope };
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

/** An id that no pet has, unless the deployment assigns negative ids. */
export const NO_ID = '-9223372036854775807';

/** A path of the contract with this value for each of its parameters. */
export const fillIn = (template: string, value: string): string => template.replaceAll(/\{\w+\}/g, value);

export const isDescribed = (path: string): boolean =>
  operations.some(({ template }) => new RegExp(`^${fillIn(template, '[^/]+')}$`).test(path));

/**
 * The methods that a path of the contract does not have. They are harmless even to a service that accepts them: they
 * are sent without a body, and DELETE of a whole collection is not among them.
 */
export const otherMethodsOf = (template: string): string[] =>
  ['PUT', 'PATCH', 'POST', ...(template.endsWith('}') ? ['DELETE'] : [])].filter(
    (method) => !methodsByPath.get(template)?.includes(method),
  );
