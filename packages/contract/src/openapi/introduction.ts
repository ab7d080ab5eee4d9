import { errorCodes } from '../error.ts';
import { MAX_DEPTH } from '../json/i-json.ts';
import { sizeLimits } from '../size-limits.ts';
import { pageSize } from '../v1/pet.ts';

const errorRows = Object.entries(errorCodes).map(
  ([code, { status, description }]) => `| \`${code}\` | ${status} | ${description} |`,
);

/** The introduction for first-time readers of the document, in Markdown. */
export const introduction = `A pet store catalogue: list the pets available for adoption, add one, fetch one.

## API keys

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. The operator of the service issues keys, with \`petstore keys create --name <your app>\`. A key with the scope \`read\` may not add pets.

## Pages

listPets returns ${pageSize.default} pets, or as many as \`limit\` says, at most ${pageSize.maximum}. While there are more, the response has a \`Link\` header with \`rel="next"\`: request that URL for the next page. A client that follows these links to the end receives every pet once, in ascending order of ids, even while other clients add pets.

## Retries

GET can be repeated. Send createPet with an \`Idempotency-Key\` of your choice, a UUID for example, and repeat it with the same key and body when no response arrives: the pet is added once. Use a new key for each new pet. If a response has \`Retry-After\`, wait that many seconds first. A service that limits the rate of requests says in the header \`RateLimit\` how many are left; beyond them the response is 429.

## 64-bit integers

An int64, such as \`id\`, is a JSON number with up to 19 digits: parse it without rounding. \`JSON.parse\` rounds beyond 2^53 − 1; \`parseJson\` of \`@petstore/client\` does not.

## Errors

Every error is an Error body with a \`code\` for programs and a \`message\` for people. Quote the \`X-Request-Id\` header when you ask for help. A later release may add codes: handle an unknown code by its status. A request body is I-JSON (RFC 7493) of at most ${sizeLimits.body / 1024} KiB. A body with a duplicate member name, a member \`__proto__\` or more than ${MAX_DEPTH} levels of nesting is \`invalid_body\`, even inside a member that the service ignores.

| code | status | meaning |
| --- | --- | --- |
${errorRows.join('\n')}
`;
