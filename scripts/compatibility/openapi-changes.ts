import { arrayOf, compareNames, isEqual, type JsonObject, objectOf } from './json.ts';
import type { Change } from './level.ts';
import { compareSchemas, type Documents } from './schema-changes.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/**
 * Compares the OpenAPI documents of two releases.
 *
 * @param today an operation may go once its `x-sunset` date is past
 * @returns the changes, each with the version that it needs
 */
export function compareDocuments(beforeJson: unknown, afterJson: unknown, today: Date): Change[] {
  const documents = { before: objectOf(beforeJson), after: objectOf(afterJson) };
  const [before, after] = [operationsOf(documents.before), operationsOf(documents.after)];
  const { removed, kept, added } = compareNames(before, after);
  const changes = [
    ...removed.map((name) => removal(name, objectOf(before[name]), today)),
    ...added.map((where): Change => ({ level: 'minor', where, what: 'the operation was added' })),
    ...kept.flatMap((name) =>
      compareOperations(documents, objectOf(before[name]), objectOf(after[name]), name),
    ),
    ...compareSecurity(documents),
  ];
  if (changes.length > 0 || isEqual(beforeJson, afterJson)) return changes;
  return [{ level: 'patch', where: 'the document', what: 'descriptions changed' }];
}

/** Each operation by its method and path. */
function operationsOf({ paths }: JsonObject): JsonObject {
  const entries = Object.entries(objectOf(paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item))
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
  return Object.fromEntries(entries);
}

function removal(where: string, operation: JsonObject, today: Date): Change {
  const sunset = operation['x-sunset'];
  const isPast = operation.deprecated === true && typeof sunset === 'string' && new Date(sunset) <= today;
  return isPast
    ? { level: 'minor', where, what: `the operation was removed, as announced for ${sunset}` }
    : { level: 'major', where, what: 'the operation was removed' };
}

function compareOperations(
  documents: Documents,
  before: JsonObject,
  after: JsonObject,
  where: string,
): Change[] {
  const changes: Change[] = [
    ...compareParameters(documents, before, after, where),
    ...compareRequestBodies(documents, before.requestBody, after.requestBody, where),
    ...compareResponses(documents, objectOf(before.responses), objectOf(after.responses), where),
  ];
  if (before.operationId !== after.operationId) {
    const what = `the operation was renamed from ${before.operationId} to ${after.operationId}`;
    changes.push({ level: 'major', where, what });
  }
  if (before.deprecated !== after.deprecated) {
    changes.push({
      level: 'minor',
      where,
      what: `the operation is ${after.deprecated ? 'now' : 'no longer'} deprecated`,
    });
  }
  return changes;
}

function compareParameters(
  documents: Documents,
  before: JsonObject,
  after: JsonObject,
  where: string,
): Change[] {
  const byName = ({ parameters }: JsonObject): JsonObject =>
    Object.fromEntries(
      arrayOf(parameters)
        .map(objectOf)
        .map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]),
    );
  const [old, now] = [byName(before), byName(after)];
  const { removed, kept, added } = compareNames(old, now);
  const place = (name: string) => `${name} of ${where}`;
  const isRequired = (parameter: unknown) => objectOf(parameter).required === true;
  return [
    ...removed.map(
      (name): Change => ({ level: 'major', where: place(name), what: 'the parameter was removed' }),
    ),
    ...added.map(
      (name): Change =>
        isRequired(now[name])
          ? { level: 'major', where: place(name), what: 'a required parameter was added' }
          : { level: 'minor', where: place(name), what: 'a parameter was added' },
    ),
    ...kept
      .filter((name) => isRequired(old[name]) !== isRequired(now[name]))
      .map(
        (name): Change =>
          isRequired(now[name])
            ? { level: 'major', where: place(name), what: 'the parameter is now required' }
            : { level: 'minor', where: place(name), what: 'the parameter is no longer required' },
      ),
    ...kept.flatMap((name) =>
      compareSchemas(
        documents,
        [objectOf(old[name]).schema, objectOf(now[name]).schema],
        'request',
        place(name),
      ),
    ),
  ];
}

function compareRequestBodies(
  documents: Documents,
  before: unknown,
  after: unknown,
  where: string,
): Change[] {
  const place = `the body of ${where}`;
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ level: 'major', where: place, what: 'a body was added' }];
  if (after === undefined) return [{ level: 'major', where: place, what: 'the body was removed' }];
  return compareContents(documents, before, after, 'request', place);
}

function compareResponses(
  documents: Documents,
  before: JsonObject,
  after: JsonObject,
  where: string,
): Change[] {
  const { removed, kept, added } = compareNames(before, after);
  const isError = (status: string) => Number(status) >= 400;
  const place = (status: string) => `the response ${status} of ${where}`;
  return [
    // A caller handles an error by its status class, but needs to know every success.
    ...removed.map(
      (status): Change => ({
        level: isError(status) ? 'minor' : 'major',
        where: place(status),
        what: 'the response was removed',
      }),
    ),
    ...added.map(
      (status): Change => ({
        level: isError(status) ? 'minor' : 'major',
        where: place(status),
        what: 'the response was added',
      }),
    ),
    ...kept.flatMap((status) => [
      ...compareHeaders(documents, before[status], after[status], place(status)),
      ...compareContents(documents, before[status], after[status], 'response', place(status)),
    ]),
  ];
}

function compareHeaders(documents: Documents, before: unknown, after: unknown, where: string): Change[] {
  const [old, now] = [objectOf(objectOf(before).headers), objectOf(objectOf(after).headers)];
  const { removed, kept, added } = compareNames(old, now);
  const place = (name: string) => `the header ${name} of ${where}`;
  return [
    ...removed.map(
      (name): Change => ({ level: 'major', where: place(name), what: 'the header was removed' }),
    ),
    ...added.map((name): Change => ({ level: 'minor', where: place(name), what: 'a header was added' })),
    ...kept.flatMap((name): Change[] => {
      const [wasRequired, isRequired] = [
        isRequiredHeader(documents.before, old[name]),
        isRequiredHeader(documents.after, now[name]),
      ];
      if (wasRequired === isRequired) return [];
      return isRequired
        ? [{ level: 'minor', where: place(name), what: 'the header is now always present' }]
        : [{ level: 'major', where: place(name), what: 'the header is no longer always present' }];
    }),
  ];
}

function isRequiredHeader({ components }: JsonObject, header: unknown): boolean {
  const { $ref, required } = objectOf(header);
  if (typeof $ref !== 'string') return required === true;
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  return objectOf(objectOf(objectOf(components).headers)[name]).required === true;
}

function compareContents(
  documents: Documents,
  before: unknown,
  after: unknown,
  direction: 'request' | 'response',
  where: string,
): Change[] {
  const [old, now] = [objectOf(objectOf(before).content), objectOf(objectOf(after).content)];
  const { removed, kept, added } = compareNames(old, now);
  return [
    ...removed.map((type): Change => ({ level: 'major', where, what: `the media type ${type} was removed` })),
    ...added.map((type): Change => ({ level: 'minor', where, what: `the media type ${type} was added` })),
    ...kept.flatMap((type) =>
      compareSchemas(documents, [objectOf(old[type]).schema, objectOf(now[type]).schema], direction, where),
    ),
  ];
}

function compareSecurity({ before, after }: Documents): Change[] {
  const schemes = ({ components }: JsonObject) =>
    Object.entries(objectOf(objectOf(components).securitySchemes)).map(([name, scheme]) => {
      const { type, scheme: kind } = objectOf(scheme);
      return [name, type, kind];
    });
  const isSame = isEqual(before.security, after.security) && isEqual(schemes(before), schemes(after));
  return isSame ? [] : [{ level: 'major', where: 'the document', what: 'authentication changed' }];
}
