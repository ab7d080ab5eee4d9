/** The parts of an OpenAPI 3.1 document that the contract uses. */
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; description?: string; required?: boolean; schema: Schema }[];
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>;
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

/**
 * Renders what the client needs of a version of the contract as a TypeScript module that imports nothing: types
 * for the compiler and two tables for run time. The contract itself would bring ts-rest and zod into the
 * declarations and the bundles of every app.
 *
 * @param json the OpenAPI document of the version
 * @throws Error for a schema that this function has no type for
 */
export function renderContract(json: string): string {
  const { paths, components }: OpenApi = JSON.parse(json);
  const schemas = Object.entries(components.schemas);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
  );
  const bodies = new Set(operations.flatMap(({ responses }) => Object.keys(statusesByBody(responses))));
  return `// Generated from @petstore/contract by "pnpm --filter @petstore/client generate". Do not edit.

${schemas.map(([name, schema]) => renderType(name, schema)).join('\n')}
${operations.flatMap(renderParameters).join('\n')}

/** The name of an operation. */
export type Operation = keyof Responses;

/** A response for each of the statuses. */
type ResponseWith<Status, Body> = Status extends number
  ? { status: Status; body: Body; headers: Headers }
  : never;

/** The responses of each operation. */
export interface Responses { ${operations.map(renderResponses).join('\n')} }

/** How to request each operation, and the statuses of each body that it responds with. */
export const routes = { ${operations.map(renderRoute).join('\n')} } as const;

/** The type of each property of a body, or the body that an array consists of. */
export const bodies = {
  ${schemas
    .filter(([name]) => bodies.has(name))
    .map((entry) => renderBody(entry, components.schemas))
    .join('\n')}
} as const;
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

/** The types of the parameters of a path, and an interface of those of a query. */
function renderParameters({ operationId, parameters = [] }: Operation): string[] {
  const types = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, description, schema }) => renderType(capitalize(name), { ...schema, description }));
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return types;
  const properties = query.map(({ name, description, schema }) => [name, { ...schema, description }]);
  const schema = {
    description: `The query of ${operationId}`,
    properties: Object.fromEntries(properties),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  return [...types, renderType(`${capitalize(operationId)}Query`, schema)];
}

function renderResponses({ operationId, responses }: Operation): string {
  const types = Object.entries(statusesByBody(responses)).map(([body, statuses]) => {
    const type = body === 'none' ? 'undefined' : typeOf({ $ref: body });
    return `ResponseWith<${statuses.join(' | ')}, ${type}>`;
  });
  return `${operationId}: ${types.join(' | ')};`;
}

function renderRoute({
  operationId,
  method,
  path,
  responses,
}: Operation & { method: string; path: string }): string {
  const statuses = JSON.stringify(statusesByBody(responses));
  const route = `{ method: '${method.toUpperCase()}', path: '${path.replaceAll(/\{(\w+)\}/g, ':$1')}', statuses: ${statuses} }`;
  return `${operationId}: ${route},`;
}

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

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text} */\n`);
