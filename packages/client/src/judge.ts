import { isAnswer, isError, NOT_JSON, type Received } from './answer.ts';
import type { Call } from './calls.ts';
import type { Answer, ErrorBody, Operation } from './contract.ts';
import { ServiceError, UnexpectedAnswerError } from './errors/index.ts';
import type { Validate } from './options.ts';
import { isPassing, retryAfter } from './retry.ts';

/**
 * Decides whether what came back is one of the contract's answers to the call, and gives it.
 *
 * @throws ServiceError for an Error with a status that the operation does not have: a wrong base address, say
 * @throws UnexpectedAnswerError for anything else
 */
export function judge<Name extends Operation>(
  call: Call<Name>,
  received: Received,
  validate: Validate = () => {},
): Answer<Name> {
  if (isAnswer(call.operation, received)) {
    try {
      validate(call.operation, received);
    } catch (cause) {
      throw unexpectedAnswer(call, received, "does not keep to the contract's schema", cause);
    }
    return received;
  }
  const { status, body } = received;
  if (status >= 400 && isError(body)) throw serviceError(call, received, body);
  throw unexpectedAnswer(call, received, describe(received));
}

function describe({ status, body }: Received): string {
  // A browser shows a redirect as status 0 when it is not followed.
  if (status === 0 || (status >= 300 && status < 400)) return 'is a redirect, which is not followed';
  if (body === undefined) return 'has no body';
  return body === NOT_JSON ? 'is no JSON that can be read' : "is none of the pet store's";
}

type Refused = Pick<Received, 'status' | 'headers' | 'requestId'>;

/** The error for an Error body. */
export function serviceError(
  call: Call<Operation>,
  refused: Refused,
  { code, message }: ErrorBody,
): ServiceError {
  const { status } = refused;
  return new ServiceError(message, {
    ...detailsOf(call, refused),
    code,
    status,
    retryable: isPassing(status, code),
  });
}

/** The error for an answer that is not the contract's. It never quotes the body, which could hold a secret. */
export function unexpectedAnswer(
  call: Call<Operation>,
  refused: Refused,
  problem: string,
  cause?: unknown,
): UnexpectedAnswerError {
  const { status, headers } = refused;
  const [type = 'no media type'] = /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '') ?? [];
  return new UnexpectedAnswerError(`The answer to ${call.operation} ${problem} (status ${status}, ${type})`, {
    ...detailsOf(call, refused),
    code: 'unexpected_answer',
    status: status || undefined,
    retryable: isPassing(status),
    cause,
  });
}

const detailsOf = ({ content }: Call<Operation>, { headers, requestId }: Refused) => ({
  requestId,
  idempotencyKey: content?.idempotencyKey,
  retryAfterMs: retryAfter(headers),
});
