/** The members of a JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  examples?: string[];
  description?: string | undefined;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
}

/** Renders a schema as a type of its own. @throws Error for a schema without a counterpart in TypeScript */
export function renderType(name: string, { properties, required, examples, ...schema }: Schema): string {
  const head = `${comment(schema.description)}export`;
  if (properties)
    return `${head} interface ${typeName(name)} {\n${renderProperties(properties, required)}\n}`;
  // The examples of a string are its known values. "string & {}" lets an editor suggest them.
  const type = examples ? `${literals(examples)} | (string & {})` : typeOf(schema);
  return `${head} type ${typeName(name)} = ${type};`;
}

function renderProperties(properties: Record<string, Schema>, required: string[] = []): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const type = typeOf(schema);
      const member = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
      return `${comment(schema.description)}${member};`;
    })
    .join('\n');
}

function typeOf(schema: Schema): string {
  const { $ref, type, format, items, properties, required } = schema;
  if ($ref !== undefined) return typeName(nameOf($ref));
  if (schema.enum) return literals(schema.enum);
  if (items) return items.$ref ? `${typeOf(items)}[]` : `Array<${typeOf(items)}>`;
  if (properties) return `{ ${renderProperties(properties, required)} }`;
  if (format === 'int64') return 'number | bigint';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  throw new Error(
    `The client has no type for the schema ${JSON.stringify(schema)}: see scripts/render-type.ts`,
  );
}

export const literals = (values: readonly string[]) => values.map((value) => `'${value}'`).join(' | ');

export const nameOf = ($ref: string) => $ref.replace('#/components/schemas/', '');

/** Renames the schema `Error`, because JavaScript has a global of this name. */
export const typeName = (name: string) => (name === 'Error' ? 'ErrorBody' : name);

export const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text} */\n`);
