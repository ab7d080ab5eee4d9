import { apiDiff, type Diff } from 'api-smart-diff';

/** The parts of a version number, each higher than the one before. */
export const versions = ['patch', 'minor', 'major'] as const;
type Version = (typeof versions)[number];

/** The members of an OpenAPI document that this file reads. */
export interface OpenApi {
  paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
  components: { schemas: { ErrorCode: { examples?: string[] } }; securitySchemes: object };
}

const versionOf: Record<Diff['type'], Version> = {
  breaking: 'major',
  'non-breaking': 'minor',
  deprecated: 'minor',
  unclassified: 'patch',
  annotation: 'patch',
};

/**
 * The member that `prepare` adds to each schema with an `enum`, for two rules below. When text becomes an enumeration,
 * the library reports added values only.
 */
const ENUMERATED = 'enumeration';

/** Where docs/releases.md differs from the library. The first rule that fits counts. */
const rules: [version: Version, action: Diff['action'], path: RegExp, why?: string][] = [
  // The library allows the removal of a property: it makes a response narrower, and a request wider.
  ['major', 'remove', /\/properties\/[^/]+$/],
  ['major', 'replace', /\/(responses|parameters)\/.*\/(type|format|const)$|\/parameters\/\d+\/name$/],
  ['major', 'add', /\/requestBody$/],
  // A new default changes what a request without the member means. A property may be named `default`.
  ['major', 'add', /\/(requestBody|parameters)\/.*\/(?<!properties\/)(default|enumeration)$/],
  ['major', 'remove', /\/responses\/.*\/(headers\/[^/]+\/required|enumeration)$/],
  ['minor', 'add', /\/responses\/.*\/required(\/\d+)?$/],
  // Generated clients name their methods after it.
  ['major', 'replace', /\/operationId$/],
  // Only an operation with the scope `write` has a 403.
  ['major', 'add', /\/responses\/403$/],
  ['minor', 'remove', /\/responses\/403$/],
  // The examples of an error response have its codes as names. `prepare` lists all codes below `error codes`.
  ['major', 'remove', /\/responses\/\d+\/.*\/examples\/\w+$|^error codes\/\w+$/],
  ['minor', 'add', /\/responses\/\d+\/.*\/examples\/\w+$|^error codes\/\w+$/],
  ['minor', 'add', /\/responses\/.*\/enum\/\d+$/, ', which breaks an exhaustive switch'],
];

/** @returns the changes, major ones first. A change that several operations share is one change */
export function listChanges(before: OpenApi, after: OpenApi, today = new Date()) {
  const changes = new Map<string, { version: Version; operations: Set<string> }>();
  const document = prepare(before);
  for (const diff of apiDiff(document, prepare(after))) {
    const [root, path = '', method = ''] = diff.path.map(String);
    const { version, why = '' } = classify(diff, today);
    const text = describe(diff, document) + why;
    const { operations } = changes.get(text) ?? { operations: new Set() };
    if (root === 'paths' && path !== '') operations.add(`${method.toUpperCase()} ${path}`);
    changes.set(text, { version, operations });
  }
  return Array.from(changes, ([text, { version, operations }]) => ({
    version,
    text: operations.size > 0 ? `${[...operations].join(', ')}: ${text}` : text,
  })).toSorted((one, other) => versions.indexOf(other.version) - versions.indexOf(one.version));
}

/** Writes what the library misreads in a form that it reads. */
function prepare({ components, ...document }: OpenApi) {
  const { schemas, securitySchemes } = components;
  const { examples = [], ...ErrorCode } = schemas.ErrorCode;
  // By name: the library compares an array of examples by position.
  const codes = Object.fromEntries(examples.map((code) => [code, {}]));
  const targets: Record<string, object> = {};
  for (const [kind, members] of Object.entries(components))
    for (const [name, member] of Object.entries(members)) targets[`#/components/${kind}/${name}`] = member;
  targets['#/components/schemas/ErrorCode'] = ErrorCode;
  return inline({ ...document, components: { securitySchemes }, 'error codes': codes }, targets);
}

/** Inlines references, which the library does not compare with schemas. A recursive schema's inner reference stays. */
function inline<Value extends object>(value: Value, targets: Record<string, object>): Value {
  return JSON.parse(JSON.stringify(value), (_name, member) => {
    const { $ref = '', ...siblings } = Object(member);
    const { [$ref]: target, ...others } = targets;
    const schema = target ? { ...inline(target, others), ...siblings } : member;
    return Array.isArray(schema?.enum) ? { ...schema, [ENUMERATED]: {} } : schema;
  });
}

type Classification = { version: Version; why?: string | undefined };

function classify({ action, path, type, before, after }: Diff, today: Date): Classification {
  if (path.at(-1) === 'x-max-bytes') {
    return { version: action === 'add' || Number(after) < Number(before) ? 'major' : 'minor' };
  }
  // Without this member, or with `true`, unknown properties are accepted. A response may have further properties.
  if (path.at(-1) === 'additionalProperties') {
    const isWider = after === undefined || after === true || before === false;
    return { version: isWider || path.includes('responses') ? 'minor' : 'major' };
  }
  if (path.at(-1) === 'x-sunset' && after < before) return { version: 'major' };
  // Changes below `security/0` change the scheme that requests need. A removed alternative no longer admits callers.
  if (path[0] === 'security' && (path.length > 2 || action === 'remove')) return { version: 'major' };
  const isRemovedOperation = action === 'remove' && path[0] === 'paths' && path.length === 3;
  const sunset: unknown = isRemovedOperation ? before?.['x-sunset'] : undefined;
  if (typeof sunset === 'string' && new Date(sunset) <= today) {
    return { version: 'minor', why: ` after its sunset, ${sunset}` };
  }
  const rule = rules.find(([, changed, place]) => changed === action && place.test(path.join('/')));
  const [version, , , why] = rule ?? [versionOf[type]];
  return { version, why };
}

/** As in `parameter limit maximum: 100 → 50`. */
function describe(diff: Diff, document: Pick<OpenApi, 'paths'>): string {
  const { action, before, after } = diff;
  const words = placeOf(diff, document).filter((word, index) => {
    const isNoise = /^(content|application\/json|schema|properties|items)$/.test(word);
    // The second word may be a status. Later numbers are positions in arrays.
    const isPosition = index >= 2 && /^\d+$/.test(word);
    return word !== '' && !isNoise && !isPosition;
  });
  const where = words.join(' ');
  if (action === 'add') return `${where}${show(after)} added`;
  if (action === 'remove') return `${where}${show(before)} removed`;
  return `${where}:${show(before)} →${show(after)}`;
}

/** Where a change is, without the operation. */
function placeOf({ path, after }: Diff, { paths }: Pick<OpenApi, 'paths'>): string[] {
  const [root = '', route = '', method = '', part = '', name = '', ...rest] = path.map(String);
  if (root !== 'paths') return path.map(String);
  if (part !== 'parameters') return [part || 'operation', name, ...rest];
  // The library counts the parameters as they were before, and new ones from there on.
  const parameter = paths[route]?.[method]?.parameters?.[Number(name)] ?? after;
  return ['parameter', parameter?.name ?? name, ...rest];
}

/** A value that fits into a line. */
function show(value: unknown): string {
  if (typeof value === 'object' && !Array.isArray(value)) return '';
  const text = JSON.stringify(value) ?? '';
  return ` ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}
