import { arrayOf, compareNames, isEqual, type JsonObject, objectOf } from './json.ts';
import type { Change, Level } from './level.ts';

/** Which way values of a schema go: a request must be accepted by the service, a response by the client. */
export type Direction = 'request' | 'response';

/** An OpenAPI document, for its components. */
export interface Documents {
  before: JsonObject;
  after: JsonObject;
}

/** What describes a schema and does not change which values it allows. */
const DESCRIPTIVE = new Set(['description', 'title', 'example', 'deprecated', 'examples', '$ref']);

/** A bound that becomes greater allows more values (maximum) or fewer (minimum). */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

const COMPARED = new Set([
  ...DESCRIPTIVE,
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  'enum',
  'properties',
  'required',
  'items',
]);

/**
 * Compares a schema of two releases.
 *
 * A schema that allows more values is an addition where the service reads them, and a breaking change where
 * the client does. One that allows fewer is the other way round.
 */
export function compareSchemas(
  documents: Documents,
  [beforeSchema, afterSchema]: readonly [unknown, unknown],
  direction: Direction,
  where: string,
  visited: ReadonlySet<string> = new Set(),
): Change[] {
  const name = objectOf(beforeSchema).$ref;
  if (typeof name === 'string' && visited.has(name)) return [];
  const before = resolve(documents.before, beforeSchema);
  const after = resolve(documents.after, afterSchema);
  const inside = typeof name === 'string' ? new Set([...visited, name]) : visited;
  const compare = (pair: [unknown, unknown], place: string) =>
    compareSchemas(documents, pair, direction, place, inside);
  return [
    ...compareEnums(before, after, direction, where),
    ...compareKnownValues(before, after, where),
    ...compareBounds(before, after, direction, where),
    ...compareProperties(before, after, direction, where, compare),
    ...('items' in before && 'items' in after
      ? compare([before.items, after.items], `items of ${where}`)
      : []),
    ...compareOthers(before, after, where),
  ];
}

function resolve(document: JsonObject, schema: unknown): JsonObject {
  const { $ref } = objectOf(schema);
  if (typeof $ref !== 'string') return objectOf(schema);
  const names = $ref.replace('#/', '').split('/');
  return objectOf(names.reduce<unknown>((value, name) => objectOf(value)[name], document));
}

/** The level of a schema that allows more values. */
const widened = (direction: Direction): Level => (direction === 'request' ? 'minor' : 'major');
/** The level of a schema that allows fewer values. */
const narrowed = (direction: Direction): Level => (direction === 'request' ? 'major' : 'minor');

function compareEnums(before: JsonObject, after: JsonObject, direction: Direction, where: string): Change[] {
  if (!('enum' in before) && !('enum' in after)) return [];
  if (!('enum' in after)) return [{ level: widened(direction), where, what: 'any value is allowed' }];
  if (!('enum' in before))
    return [{ level: narrowed(direction), where, what: 'only some values are allowed' }];
  const [old, now] = [arrayOf(before.enum), arrayOf(after.enum)];
  return [
    ...old
      .filter((value) => !now.includes(value))
      .map((value) => ({ level: narrowed(direction), where, what: `the value ${value} was removed` })),
    ...now
      .filter((value) => !old.includes(value))
      .map((value) => ({ level: widened(direction), where, what: `the value ${value} was added` })),
  ];
}

/** The examples of an open string, such as an error code, are its known values. */
function compareKnownValues(before: JsonObject, after: JsonObject, where: string): Change[] {
  const [old, now] = [arrayOf(before.examples), arrayOf(after.examples)];
  return [
    ...old
      .filter((value) => !now.includes(value))
      .map((value): Change => ({ level: 'major', where, what: `the known value ${value} was removed` })),
    ...now
      .filter((value) => !old.includes(value))
      .map((value): Change => ({ level: 'minor', where, what: `the known value ${value} was added` })),
  ];
}

function compareBounds(before: JsonObject, after: JsonObject, direction: Direction, where: string): Change[] {
  return [...LOWER_BOUNDS, ...UPPER_BOUNDS]
    .filter((bound) => before[bound] !== after[bound])
    .map((bound) => {
      const nothing = LOWER_BOUNDS.includes(bound) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      const [old, now] = [before[bound] ?? nothing, after[bound] ?? nothing].map(Number);
      const isWider = LOWER_BOUNDS.includes(bound) ? Number(now) < Number(old) : Number(now) > Number(old);
      const level = isWider ? widened(direction) : narrowed(direction);
      return { level, where, what: `${bound} changed from ${before[bound]} to ${after[bound]}` };
    });
}

function compareProperties(
  before: JsonObject,
  after: JsonObject,
  direction: Direction,
  where: string,
  compare: (pair: [unknown, unknown], where: string) => Change[],
): Change[] {
  const [old, now] = [objectOf(before.properties), objectOf(after.properties)];
  const [oldRequired, nowRequired] = [arrayOf(before.required), arrayOf(after.required)];
  const { removed, kept, added } = compareNames(old, now);
  const place = (name: string) => `${name} of ${where}`;
  return [
    ...removed.map(
      (name): Change => ({ level: 'major', where: place(name), what: 'the property was removed' }),
    ),
    ...added.map((name): Change => {
      const isDemanded = direction === 'request' && nowRequired.includes(name);
      const what = isDemanded ? 'a required property was added' : 'a property was added';
      return { level: isDemanded ? 'major' : 'minor', where: place(name), what };
    }),
    ...kept
      .filter((name) => oldRequired.includes(name) !== nowRequired.includes(name))
      .map((name): Change => {
        const isRequired = nowRequired.includes(name);
        const level = isRequired ? narrowed(direction) : widened(direction);
        return {
          level,
          where: place(name),
          what: `the property is ${isRequired ? 'now' : 'no longer'} required`,
        };
      }),
    ...kept.flatMap((name) => compare([old[name], now[name]], place(name))),
  ];
}

/** Keywords whose changes this function cannot classify: type, format, pattern, default and the like. */
function compareOthers(before: JsonObject, after: JsonObject, where: string): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((keyword) => !COMPARED.has(keyword) && !isEqual(before[keyword], after[keyword]))
    .map((keyword) => {
      const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
      const what = `${keyword} changed from ${show(before[keyword])} to ${show(after[keyword])}`;
      return { level: 'major', where, what };
    });
}
