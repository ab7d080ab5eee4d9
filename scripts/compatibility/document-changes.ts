import { isDeepStrictEqual } from 'node:util';
import type { Change } from './changes.ts';
import { arrayOf, type JsonObject, objectOf, resolve } from './json.ts';
import { changesOf, compareMembers, memberOf, type Pair } from './members.ts';
import { comparePresence, compareSchemas, type Direction } from './schema-changes.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Compares the OpenAPI documents of two releases.
 *
 * @param today an operation may go once its `x-sunset` date is past
 * @returns the changes, each with the version that it needs
 */
export function compareDocuments(beforeJson: unknown, afterJson: unknown, today: Date): Change[] {
  const documents = { before: objectOf(beforeJson), after: objectOf(afterJson) };
  const operations = { before: operationsOf(documents.before), after: operationsOf(documents.after) };
  const isOver = ({ deprecated, 'x-sunset': sunset }: JsonObject) =>
    deprecated === true && typeof sunset === 'string' && new Date(sunset) <= today;
  const changes = [
    ...compareMembers(operations, {
      where: 'the document',
      subject: (operation) => operation,
      removed: (_name, operation) =>
        isOver(operation) ? ['minor', 'was removed after its sunset date'] : ['major', 'was removed'],
      added: () => ['minor', 'was added'],
      kept: (operation, pair) => [
        ...compareParameters(documents, pair, operation),
        ...compareRequestBodies(documents, pair, operation),
        ...compareResponses(documents, pair, operation),
        ...compareOperations(pair, operation),
      ],
    }),
    ...compareSecurity(documents),
  ];
  if (changes.length > 0 || isDeepStrictEqual(beforeJson, afterJson)) return changes;
  return changesOf('the document', 'descriptions', [['patch', 'changed']]);
}

/** Each operation by its method and path: `GET /pets`. */
function operationsOf({ paths }: JsonObject): JsonObject {
  const entries = Object.entries(objectOf(paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item))
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
  return Object.fromEntries(entries);
}

function compareOperations({ before, after }: Pair, where: string): Change[] {
  const changes: Change[] = [];
  if (before.operationId !== after.operationId)
    changes.push(...changesOf(where, `${before.operationId}`, [['major', `is now ${after.operationId}`]]));
  if (before.deprecated !== after.deprecated)
    changes.push(
      ...changesOf(where, where, [['minor', `is ${after.deprecated ? 'now' : 'no longer'} deprecated`]]),
    );
  return changes;
}

function compareParameters(documents: Pair, operations: Pair, operation: string): Change[] {
  const byName = ({ parameters }: JsonObject) =>
    Object.fromEntries(
      arrayOf(parameters)
        .map(objectOf)
        .map((parameter) => [`the ${parameter.in} parameter ${parameter.name}`, parameter]),
    );
  const direction = 'request';
  return compareMembers(
    { before: byName(operations.before), after: byName(operations.after) },
    {
      where: operation,
      subject: (name) => name,
      removed: () => ['major', 'was removed'],
      added: (_name, { required }) =>
        required === true ? ['major', 'was added and is required'] : ['minor', 'was added'],
      kept: (name, { before, after }) => {
        const use = { documents, direction, where: `${name} of ${operation}` } as const;
        return [
          ...changesOf(operation, name, comparePresence(before.required, after.required, direction)),
          ...compareSchemas(use, memberOf({ before, after }, 'schema'), `${after.name}`),
        ];
      },
    },
  );
}

function compareRequestBodies(documents: Pair, operations: Pair, operation: string): Change[] {
  const bodyOf = ({ requestBody }: JsonObject) => (requestBody === undefined ? {} : { requestBody });
  return compareMembers(
    { before: bodyOf(operations.before), after: bodyOf(operations.after) },
    {
      where: operation,
      subject: () => 'the body',
      removed: () => ['major', 'was removed'],
      added: () => ['major', 'was added'],
      kept: (_name, pair) => compareContents(documents, pair, 'request', `the body of ${operation}`),
    },
  );
}

function compareResponses(documents: Pair, operations: Pair, operation: string): Change[] {
  // A caller handles an error by its status class, but needs to know every success.
  const level = (status: string) => (Number(status) >= 400 ? 'minor' : 'major');
  return compareMembers(memberOf(operations, 'responses'), {
    where: operation,
    subject: (status) => `the response ${status}`,
    removed: (status) => [level(status), 'was removed'],
    added: (status) => [level(status), 'was added'],
    kept: (status, pair) => {
      const where = `the response ${status} of ${operation}`;
      return [
        ...compareHeaders(documents, pair, where),
        ...compareContents(documents, pair, 'response', where),
      ];
    },
  });
}

function compareHeaders(documents: Pair, responses: Pair, where: string): Change[] {
  const direction = 'response';
  const subject = (name: string) => `the header ${name}`;
  return compareMembers(memberOf(responses, 'headers'), {
    where,
    subject,
    removed: () => ['major', 'was removed'],
    added: () => ['minor', 'was added'],
    kept: (name, pair) => {
      const before = resolve(documents.before, pair.before);
      const after = resolve(documents.after, pair.after);
      return [
        ...changesOf(where, subject(name), comparePresence(before.required, after.required, direction)),
        ...compareSchemas(
          { documents, direction, where },
          memberOf({ before, after }, 'schema'),
          subject(name),
        ),
      ];
    },
  });
}

function compareContents(documents: Pair, messages: Pair, direction: Direction, where: string): Change[] {
  return compareMembers(memberOf(messages, 'content'), {
    where,
    subject: (type) => `the media type ${type}`,
    removed: () => ['major', 'was removed'],
    added: () => ['minor', 'was added'],
    kept: (_type, pair) =>
      compareSchemas({ documents, direction, where }, memberOf(pair, 'schema'), 'the body'),
  });
}

function compareSecurity({ before, after }: Pair): Change[] {
  const schemes = ({ components }: JsonObject) =>
    Object.entries(objectOf(objectOf(components).securitySchemes)).map(([name, scheme]) => {
      const { type, scheme: kind } = objectOf(scheme);
      return [name, type, kind];
    });
  const isSame =
    isDeepStrictEqual(before.security, after.security) && isDeepStrictEqual(schemes(before), schemes(after));
  return isSame ? [] : changesOf('the document', 'authentication', [['major', 'changed']]);
}
