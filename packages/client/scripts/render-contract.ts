/** The parts of an OpenAPI 3.1 document that the contract uses. */
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId: string;
  description: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Partial<Content>>;
}

interface Parameter {
  in: string;
  name: string;
  description?: string;
  required?: boolean;
  schema: Schema;
}

interface Content {
  content: { 'application/json': { schema: Schema } };
}

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  examples?: string[];
  description?: string | undefined;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Route extends Operation {
  method: string;
  path: string;
}

/** Methods that a client can repeat without a key (RFC 9110, 9.2.2). */
const IDEMPOTENT = ['get', 'head', 'put', 'delete', 'options', 'trace'];

/**
 * Renders what the client needs of a version of the contract as a TypeScript module: types for the compiler, and what
 * each operation is as data. The contract itself would bring ts-rest and zod into the declarations and the bundles of
 * every app, and ts-rest infers `never` where an app has another copy of zod.
 *
 * @param json the OpenAPI document of the version
 * @throws Error for a schema that this function has no type for
 */
export function renderContract(json: string): string {
  const { paths, components }: OpenApi = JSON.parse(json);
  const schemas = Object.entries(components.schemas);
  const routes: Route[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
  );
  const types = schemas.map(([name, schema]) => renderType(name, schema));
  // Operations on one path have the same parameter.
  const parameterTypes = new Set(routes.flatMap(renderParameterTypes));
  const bodies = new Set(routes.flatMap(({ responses }) => Object.keys(statusesByBody(responses))));
  const paginated = routes.flatMap((route) =>
    parametersIn('query', route).some(({ name }) => name === 'cursor') ? [route.operationId] : [],
  );
  const numbers = schemas.flatMap(([, { properties = {} }]) =>
    Object.entries(properties).flatMap(([name, { type }]) => (type === 'number' ? [name] : [])),
  );
  return `// Generated from @petstore/contract by "pnpm --filter @petstore/client generate". Do not edit.

${[...types, ...parameterTypes].join('\n')}

/** The name of an operation. */
export type Operation = keyof Responses;

/** The operations that respond with pages. */
export type PaginatedOperation = ${literals(paginated)};

/** A response for each of the statuses. */
type ResponseWith<Status, Body> = Status extends number
  ? { status: Status; body: Body; headers: Headers }
  : never;

/** The responses of each operation. */
export interface Responses { ${routes.map(renderResponses).join('\n')} }

/** The operations of the interface, with the options of their calls, and what each resolves to. */
export interface Operations<
  Results extends Record<Operation, unknown>,
  Options,
  OptionsWithKey,
  Otherwise = never,
> { ${routes.map(renderMethod).join('\n')} }

/** What a call is given beside its options: the parameters of its path by their names, its body, its query. */
export interface Arguments {
  [parameter: string]: unknown;
  body?: object;
  query?: object;
}

/** Calls an operation, whatever its results are turned into. */
export type Call<Results extends Record<Operation, unknown>, Options, Otherwise = never> = <
  Name extends Operation,
>(
  operation: Name,
  given: Arguments,
  options: Options | undefined,
) => Promise<Results[Name] | Otherwise>;

/** All operations, each of which makes this call. */
export const callsOf = <
  Results extends Record<Operation, unknown>,
  Options,
  OptionsWithKey,
  Otherwise = never,
>(
  call: Call<Results, Options | OptionsWithKey, Otherwise>,
): Operations<Results, Options, OptionsWithKey, Otherwise> => ({ ${routes.map(renderCall).join('\n')} });

/** How to request each operation, whether it can be repeated, and the statuses of each body that it responds with. */
export const operations = { ${routes.map(renderRoute).join('\n')} } as const;

/** The type of each property of a body, or the body that an array consists of. */
export const bodies = {
  ${schemas
    .filter(([name]) => bodies.has(name))
    .map((entry) => renderBody(entry, components.schemas))
    .join('\n')}
} as const;

/** The properties that may be fractions. All other numbers are integers. */
export const fractions: readonly string[] = [${[...new Set(numbers)].map((name) => `'${name}'`).join(', ')}];
`;
}

function renderType(name: string, { properties, required, examples, ...schema }: Schema): string {
  const head = `${comment(schema.description)}export`;
  if (properties)
    return `${head} interface ${typeName(name)} {\n${renderProperties(properties, required)}\n}`;
  // The examples of a string are its known values. "string & {}" keeps them in an editor's suggestions.
  const type = examples ? `${literals(examples)} | (string & {})` : typeOf(schema);
  return `${head} type ${name} = ${type};`;
}

function renderProperties(properties: Record<string, Schema>, required: string[] = []): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const head = `${comment(schema.description)}${name}`;
      return required.includes(name)
        ? `${head}: ${typeOf(schema)};`
        : `${head}?: ${typeOf(schema)} | undefined;`;
    })
    .join('\n');
}

const parametersIn = (place: string, { parameters = [] }: Operation) =>
  parameters.filter((parameter) => parameter.in === place);

/** The types of the parameters of a path, and an interface of those of a query. */
function renderParameterTypes(operation: Operation): string[] {
  const types = parametersIn('path', operation).map(({ name, description, schema }) =>
    renderType(capitalize(name), { ...schema, description }),
  );
  const query = parametersIn('query', operation);
  if (query.length === 0) return types;
  const schema = {
    description: `The query of ${operation.operationId}`,
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  return [...types, renderType(queryType(operation), schema)];
}

/** The method takes the parameters of its path, its body, its query and its options, in this order. */
function renderMethod(route: Route): string {
  const { operationId, description, deprecated } = route;
  const body = bodyOf(route);
  const parameters = [
    ...parametersIn('path', route).map(({ name }) => `${name}: ${capitalize(name)}`),
    ...(body ? [`${uncapitalize(body)}: ${body}`] : []),
    ...(hasQuery(route) ? [`query${isQueryRequired(route) ? '' : '?'}: ${queryType(route)}`] : []),
    `options?: ${hasKey(route) ? 'OptionsWithKey' : 'Options'}`,
  ];
  const head = comment(deprecated ? `@deprecated ${description}` : description);
  return `${head}${operationId}(${parameters.join(', ')}): Promise<Results['${operationId}'] | Otherwise>;`;
}

/** What the method does: it names what it is given. */
function renderCall(route: Route): string {
  const { operationId } = route;
  const path = parametersIn('path', route).map(({ name }) => name);
  const body = bodyOf(route) ? ['body'] : [];
  const query = hasQuery(route) ? ['query'] : [];
  const given = [
    ...path,
    ...body,
    ...query.map((name) => (isQueryRequired(route) ? name : `${name}: ${name} ?? {}`)),
  ];
  const parameters = [...path, ...body, ...query, 'options'];
  return `${operationId}: (${parameters.join(', ')}) => call('${operationId}', { ${given.join(', ')} }, options),`;
}

function renderResponses({ operationId, responses }: Operation): string {
  const types = Object.entries(statusesByBody(responses)).map(([body, statuses]) => {
    const type = body === 'none' ? 'undefined' : typeOf({ $ref: body });
    return `ResponseWith<${statuses.join(' | ')}, ${type}>`;
  });
  return `${operationId}: ${types.join(' | ')};`;
}

function renderRoute(route: Route): string {
  const { operationId, method, path, responses } = route;
  const retry = hasKey(route) ? 'with a key' : IDEMPOTENT.includes(method) ? 'always' : 'never';
  const properties = [
    `method: '${method.toUpperCase()}'`,
    `path: '${path}'`,
    `retry: '${retry}'`,
    `statuses: ${JSON.stringify(statusesByBody(responses))}`,
  ];
  return `${operationId}: { ${properties.join(', ')} },`;
}

const hasKey = (operation: Operation) =>
  parametersIn('header', operation).some(({ name }) => name === 'Idempotency-Key');

function renderBody([name, schema]: [string, Schema], schemas: Record<string, Schema>): string {
  const { items, properties = {}, required = [] } = schema;
  if (items?.$ref) return `${name}: '${nameOf(items.$ref)}',`;
  const types = Object.entries(properties).map(([property, { $ref, ...inline }]) => {
    const { type } = $ref === undefined ? inline : (schemas[nameOf($ref)] ?? {});
    const checkedType = type === 'number' ? 'integer|number' : type;
    return `${property}: '${checkedType}${required.includes(property) ? '' : '|undefined'}'`;
  });
  return `${name}: { ${types.join(', ')} },`;
}

/** The statuses with each body; "none" stands for no body. */
function statusesByBody(responses: Operation['responses']): Record<string, number[]> {
  const statuses: Record<string, number[]> = {};
  for (const [status, { content }] of Object.entries(responses)) {
    const { $ref } = content?.['application/json'].schema ?? {};
    const body = $ref === undefined ? 'none' : nameOf($ref);
    statuses[body] = [...(statuses[body] ?? []), Number(status)];
  }
  return statuses;
}

/** The TypeScript type of a schema. */
function typeOf(schema: Schema): string {
  const { $ref, type, format, items, properties, required } = schema;
  if ($ref !== undefined) return typeName(nameOf($ref));
  if (schema.enum) return literals(schema.enum);
  if (items) return `${typeOf(items)}[]`;
  if (properties) return `{ ${renderProperties(properties, required)} }`;
  if (format === 'int64') return 'number | bigint';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  throw new Error(
    `The client has no type for the schema ${JSON.stringify(schema)}: see scripts/render-contract.ts`,
  );
}

const literals = (values: readonly string[]) => values.map((value) => `'${value}'`).join(' | ');

const nameOf = ($ref: string) => $ref.replace('#/components/schemas/', '');

/** `Error` is a global of JavaScript. */
const typeName = (name: string) => (name === 'Error' ? 'ErrorBody' : name);

const queryType = ({ operationId }: Operation) => `${capitalize(operationId)}Query`;

/** The schema of the body of its request. */
const bodyOf = ({ requestBody }: Operation) =>
  requestBody && nameOf(requestBody.content['application/json'].schema.$ref ?? '');

const hasQuery = (operation: Operation) => parametersIn('query', operation).length > 0;

const isQueryRequired = (operation: Operation) =>
  parametersIn('query', operation).some(({ required }) => required);

const uncapitalize = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text} */\n`);
