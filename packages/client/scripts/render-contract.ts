import { comment, literals, nameOf, renderType, type Schema, typeName } from './render-type.ts';

interface OpenApi {
  /** The path of the first server's default is the version prefix. */
  servers: { variables?: { base_url?: { default: string } } }[];
  paths: Record<string, Record<string, Omit<Route, 'method' | 'path'>>>;
  components: { schemas: Record<string, Schema> };
}

interface Route {
  method: string;
  path: string;
  operationId: string;
  description: string;
  deprecated?: boolean;
  parameters?: { in: string; name: string; description?: string; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Partial<Content>>;
}

interface Content {
  content: { 'application/json': { schema: Schema } };
}

/** The methods of ts-rest that a client can repeat without an Idempotency-Key (RFC 9110, 9.2.2). */
const IDEMPOTENT = ['get', 'put', 'delete'];

/**
 * Renders a version of the contract as a TypeScript module: its types, and its operations as data. The contract itself
 * would bring ts-rest and zod into the bundle of every app, and ts-rest infers `never` beside another copy of zod.
 * @param json the OpenAPI document of the version
 * @throws Error for a schema without a counterpart in TypeScript
 */
export function renderContract(json: string): string {
  const { servers, paths, components }: OpenApi = JSON.parse(json);
  const { pathname: prefix } = new URL(servers[0]?.variables?.base_url?.default ?? '');
  const schemas = Object.entries(components.schemas);
  const routes: Route[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
  );
  const types = schemas.map(([name, schema]) => renderType(name, schema));
  // Operations on one path render the same types of path parameters, which the Set keeps once.
  const parameterTypes = new Set(routes.flatMap(renderParameterTypes));
  const bodyNames = new Set(routes.flatMap(({ responses }) => Object.keys(statusesByBody(responses))));
  const bodies = schemas.filter(([name]) => bodyNames.has(name));
  const paginated = routes.filter((route) =>
    parametersIn('query', route).some(({ name }) => name === 'cursor'),
  );
  return `// Generated from @petstore/contract by "pnpm --filter @petstore/client generate". Do not edit.
import type { Arguments, CallOptions, CreateOptions } from './call-options.ts';

${[...types, ...parameterTypes].join('\n')}

/** The bodies of responses by their names in \`operations\`. */
export interface Bodies {
  ${bodies.map(([name]) => `${name}: ${typeName(name)};`).join('\n')}
  none: undefined;
}

/** The version prefix, with which every base URL ends (interface: Versioning). */
export const prefix = '${prefix}';

export type Operation = keyof typeof operations;

export type PaginatedOperation = ${literals(paginated.map(({ operationId }) => operationId))};

/** The operations of the interface. Each resolves to its type in \`Results\`; \`Otherwise\` is for \`safe\`, which never throws. */
export interface Operations<Results extends Record<Operation, unknown>, Otherwise = never> {
  ${routes.map(renderMethod).join('\n')}
}

/** Creates all operations from one function, which gets an operation's name and arguments. */
export const createOperations = <Results extends Record<Operation, unknown>, Otherwise = never>(
  call: <Name extends Operation>(
    operation: Name,
    given: Arguments,
    options?: CreateOptions,
  ) => Promise<Results[Name] | Otherwise>,
): Operations<Results, Otherwise> => ({ ${routes.map(renderCall).join('\n')} });

/** The request of each operation, whether it can be repeated, and the statuses of each response body. */
export const operations = { ${routes.map(renderRoute).join('\n')} } as const;

/** The type of each property of a body; for an array, the body of its items. */
export const bodies = { ${bodies.map((entry) => renderBody(entry, components.schemas)).join('\n')} } as const;

/** The default of each property of a body that has one: a service of an earlier release does not send the property. */
export const defaults: Record<string, Record<string, unknown>> = { ${bodies.map(renderDefaults).join('\n')} };
`;
}

const parametersIn = (place: string, { parameters = [] }: Route) =>
  parameters.filter((parameter) => parameter.in === place);

function renderParameterTypes(route: Route): string[] {
  const types = parametersIn('path', route).map(({ name, description, schema }) =>
    renderType(capitalize(name), { ...schema, description }),
  );
  const query = parametersIn('query', route);
  if (query.length === 0) return types;
  const schema = {
    description: `The query of ${route.operationId}`,
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  return [...types, renderType(queryType(route), schema)];
}

/** The parameters of a method before its options: path parameters, the body, the query. */
function parametersOf(route: Route): { name: string; type: string; isOptional?: boolean }[] {
  const body = bodyOf(route);
  const query = parametersIn('query', route);
  const isOptional = !query.some(({ required }) => required);
  return [
    ...parametersIn('path', route).map(({ name }) => ({ name, type: capitalize(name) })),
    ...(body ? [{ name: 'body', type: body }] : []),
    ...(query.length > 0 ? [{ name: 'query', type: queryType(route), isOptional }] : []),
  ];
}

function renderMethod(route: Route): string {
  const { operationId, description, deprecated } = route;
  const parameters = parametersOf(route).map(({ name, type, isOptional }) => {
    const ownName = name === 'body' ? type.charAt(0).toLowerCase() + type.slice(1) : name;
    return `${ownName}${isOptional ? '?' : ''}: ${type}`;
  });
  parameters.push(`options?: ${hasIdempotencyKey(route) ? 'CreateOptions' : 'CallOptions'}`);
  const head = comment(deprecated ? `@deprecated ${description}` : description);
  return `${head}${operationId}(${parameters.join(', ')}): Promise<Results['${operationId}'] | Otherwise>;`;
}

function renderCall(route: Route): string {
  const { operationId } = route;
  const parameters = parametersOf(route);
  const given = parameters.map(({ name }) => name).join(', ');
  const declared = parameters.map(({ name, isOptional }) => `${name}${isOptional ? ' = {}' : ''}, `).join('');
  return `${operationId}: (${declared}options) => call('${operationId}', { ${given} }, options),`;
}

function renderRoute(route: Route): string {
  const { operationId, method, path, responses } = route;
  const retryWithoutKey = IDEMPOTENT.includes(method) ? 'always' : 'never';
  const properties = [
    `method: '${method.toUpperCase()}'`,
    `path: '${path}'`,
    `retry: '${hasIdempotencyKey(route) ? 'with a key' : retryWithoutKey}'`,
    `statuses: ${JSON.stringify(statusesByBody(responses))}`,
  ];
  return `${operationId}: { ${properties.join(', ')} },`;
}

const hasIdempotencyKey = (route: Route) =>
  parametersIn('header', route).some(({ name }) => name === 'Idempotency-Key');

function renderBody([name, schema]: [string, Schema], schemas: Record<string, Schema>): string {
  const { items, properties = {}, required = [] } = schema;
  if (items?.$ref) return `${name}: '${nameOf(items.$ref)}',`;
  const types = Object.entries(properties).map(([property, { $ref, ...inline }]) => {
    const { type } = $ref === undefined ? inline : (schemas[nameOf($ref)] ?? {});
    // `isOfType` calls each whole number an "integer", also where a "number" is allowed.
    const checkedType = type === 'number' ? 'integer|number' : type;
    return `${property}: '${checkedType}${required.includes(property) ? '' : '|undefined'}'`;
  });
  return `${name}: { ${types.join(', ')} },`;
}

function renderDefaults([name, { properties = {} }]: [string, Schema]): string {
  const defaults = Object.entries(properties).flatMap(([property, schema]) =>
    'default' in schema ? [`${property}: ${JSON.stringify(schema.default)}`] : [],
  );
  return defaults.length > 0 ? `${name}: { ${defaults.join(', ')} },` : '';
}

/** Groups the statuses by the name of their body; "none" stands for no body. */
const statusesByBody = (responses: Route['responses']) =>
  Object.groupBy(Object.keys(responses).map(Number), (status) => {
    const content = responses[status]?.content;
    return content === undefined ? 'none' : refOf(content);
  });

const queryType = ({ operationId }: Route) => `${capitalize(operationId)}Query`;

const bodyOf = ({ requestBody }: Route) => requestBody && refOf(requestBody.content);

/** The name of the schema of a body. @throws Error when the schema has none */
function refOf(content: Content['content']): string {
  const { schema } = content['application/json'];
  if (schema.$ref === undefined)
    throw new Error(`The schema of a body has no name: ${JSON.stringify(schema)}`);
  return nameOf(schema.$ref);
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
