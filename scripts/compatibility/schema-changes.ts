import { isDeepStrictEqual } from 'node:util';
import type { Change, Level } from './changes.ts';
import { arrayOf, type JsonObject, resolve } from './json.ts';
import { changesOf, compareMembers, type Finding, memberOf, type Pair } from './members.ts';

/** Which way values go: the service must accept what is in requests, apps what is in responses. */
export type Direction = 'request' | 'response';

/** Where a schema is used, and the documents that have the schemas it refers to. */
interface Use {
  documents: Pair;
  direction: Direction;
  where: string;
}

/** Keywords that describe a schema and do not change which values it allows. */
const DESCRIPTIVE = ['description', 'title', 'example', 'deprecated', '$ref'];
/** Keywords with schemas inside, which are compared by themselves. */
const STRUCTURAL = ['properties', 'required', 'items'];

/** What a value beyond a bound would be. */
const LOWER_BOUNDS: Record<string, string> = {
  minimum: 'be below',
  exclusiveMinimum: 'be at most',
  minLength: 'be shorter than',
  minItems: 'have fewer items than',
};
const UPPER_BOUNDS: Record<string, string> = {
  maximum: 'be above',
  exclusiveMaximum: 'be at least',
  maxLength: 'be longer than',
  maxItems: 'have more items than',
};

/**
 * Compares a schema of two releases.
 *
 * @param subject what the sentences about its values begin with: `name`, `the header ETag`
 * @param outer the schemas that this one is in: a schema may refer to itself
 */
export function compareSchemas(use: Use, schemas: Pair, subject: string, outer: unknown[] = []): Change[] {
  const { $ref } = schemas.before;
  if ($ref !== undefined && outer.includes($ref)) return [];
  const resolved = {
    before: resolve(use.documents.before, schemas.before),
    after: resolve(use.documents.after, schemas.after),
  };
  const inside = [...outer, $ref];
  return [
    ...changesOf(use.where, subject, compareKeywords(resolved, use.direction)),
    ...compareProperties(use, resolved, subject, inside),
    ...('items' in resolved.before && 'items' in resolved.after
      ? compareSchemas(use, memberOf(resolved, 'items'), subject, inside)
      : []),
  ];
}

function compareKeywords({ before, after }: Pair, direction: Direction): Finding[] {
  // Another type comes with other bounds and formats, for the same cause.
  const keywords = isDeepStrictEqual(before.type, after.type)
    ? [...new Set([...Object.keys(before), ...Object.keys(after)])]
    : ['type'];
  return keywords
    .filter((keyword) => !DESCRIPTIVE.includes(keyword) && !STRUCTURAL.includes(keyword))
    .filter((keyword) => !isDeepStrictEqual(before[keyword], after[keyword]))
    .flatMap((keyword) => compareKeyword(keyword, before[keyword], after[keyword], direction));
}

function compareKeyword(keyword: string, before: unknown, after: unknown, direction: Direction): Finding[] {
  // A service that takes fewer values refuses what apps send. Apps that get more meet values they do not know.
  const [narrower, wider] =
    direction === 'request' ? (['major', 'minor'] as const) : (['minor', 'major'] as const);
  if (keyword === 'enum' && before === undefined)
    return [[narrower, `may now only be ${arrayOf(after).join(', ')}`]];
  if (keyword === 'enum' && after === undefined) return [[wider, 'may now have any value']];
  if (keyword === 'enum') return compareValues(before, after, narrower, wider);
  // The examples of an open string, such as an error code, are the values that are known.
  if (keyword === 'examples') return compareValues(before, after, 'major', 'minor');
  if (keyword in LOWER_BOUNDS || keyword in UPPER_BOUNDS)
    return [compareBound(keyword, before, after, narrower, wider)];
  const show = (value: unknown) => (value === undefined ? `no ${keyword}` : JSON.stringify(value));
  return [['major', `has another ${keyword}: ${show(after)} in place of ${show(before)}`]];
}

function compareValues(before: unknown, after: unknown, removed: Level, added: Level): Finding[] {
  const [old, now] = [arrayOf(before), arrayOf(after)];
  return [
    ...old
      .filter((value) => !now.includes(value))
      .map((value) => [removed, `may no longer be ${value}`] as const),
    ...now.filter((value) => !old.includes(value)).map((value) => [added, `may now be ${value}`] as const),
  ];
}

function compareBound(
  keyword: string,
  before: unknown,
  after: unknown,
  narrower: Level,
  wider: Level,
): Finding {
  const isLower = keyword in LOWER_BOUNDS;
  const beyond = isLower ? LOWER_BOUNDS[keyword] : UPPER_BOUNDS[keyword];
  const none = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [old, now] = [Number(before ?? none), Number(after ?? none)];
  if (isLower ? now > old : now < old) return [narrower, `may no longer ${beyond} ${now}`];
  const limit = after === undefined ? '' : `, ${isLower ? 'down' : 'up'} to ${now}`;
  return [wider, `may now ${beyond} ${old}${limit}`];
}

function compareProperties(use: Use, schemas: Pair, parent: string, outer: unknown[]): Change[] {
  const { where, direction } = use;
  const isRequired = ({ required }: JsonObject, name: string) => arrayOf(required).includes(name);
  const subject = (name: string) => (parent === 'the body' ? name : `${name} of ${parent}`);
  return compareMembers(memberOf(schemas, 'properties'), {
    where,
    subject,
    removed: () => ['major', 'was removed'],
    added: (name) =>
      direction === 'request' && isRequired(schemas.after, name)
        ? ['major', 'was added and is required']
        : ['minor', 'was added'],
    kept: (name, members) => {
      const [before, after] = [isRequired(schemas.before, name), isRequired(schemas.after, name)];
      return [
        ...changesOf(where, subject(name), comparePresence(before, after, direction)),
        ...compareSchemas(use, members, subject(name), outer),
      ];
    },
  });
}

/** Compares whether a parameter, header or property has to be present. */
export function comparePresence(wasRequired: unknown, isRequired: unknown, direction: Direction): Finding[] {
  if ((wasRequired === true) === (isRequired === true)) return [];
  if (direction === 'request')
    return [isRequired ? ['major', 'is now required'] : ['minor', 'is no longer required']];
  return [isRequired ? ['minor', 'is now always present'] : ['major', 'may now be absent']];
}
