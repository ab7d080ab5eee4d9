import { type ErrorCode, statusOf } from '@petstore/contract';
import type { Citation } from '../check.ts';
import type { RawResponse } from '../http/response.ts';
import { type SendOptions, send } from '../http/send.ts';
import type { NewPet } from '../interface.ts';
import type { Target } from '../target.ts';

export interface Request extends SendOptions {
  method: string;
  path: string;
}

interface Facts {
  /** The name of the operation; `undefined` where the path or the method has none. */
  operation: string | undefined;
  cites: Citation;
  /** Whether no request can add a pet, even if the deployment is faulty. */
  readOnly: boolean;
  /** The outcome of the request: the status of a success, or the codes that the error may have. */
  to: number | readonly [ErrorCode, ...ErrorCode[]];
}

/**
 * Finds what a request needs, such as a pet or its entity tag.
 * @param pet the pet to send, if the request has one
 */
type Prepare = (target: Target, pet?: NewPet) => Request | Promise<Request>;

/** A request that leaves existing pets alone, and the response that it leads to. */
export interface Sample extends Omit<Facts, 'to'> {
  /** A sentence. */
  name: string;
  status: number;
  codes: readonly ErrorCode[];
  prepare: Prepare;
}

/** Creates a sample for each row of a table. The name of the row replaces the `…` of the sentence. */
export function samplesOf<Row>(
  { to, ...facts }: Facts,
  sentence: string,
  table: Readonly<Record<string, Row>>,
  prepare: (row: Row, ...given: Parameters<Prepare>) => ReturnType<Prepare>,
): Sample[] {
  const response =
    typeof to === 'number' ? { status: to, codes: [] } : { status: statusOf(to[0]), codes: to };
  return Object.entries(table).map(([name, row]) => ({
    ...facts,
    ...response,
    name: sentence.replace('…', name),
    prepare: (...given) => prepare(row, ...given),
  }));
}

/** @param given headers and the pet of the request */
export async function sendSample(
  target: Target,
  { prepare }: Sample,
  { headers = {}, pet }: { headers?: Record<string, string>; pet?: NewPet } = {},
): Promise<RawResponse> {
  const { method, path, ...options } = await prepare(target, pet);
  return send(target, method, path, { ...options, headers: { ...options.headers, ...headers } });
}

/** The first of the samples with each code. */
export const oneOfEachCode = (samples: readonly Sample[]): Sample[] =>
  samples.filter(({ codes: [code] }, index) => samples.findIndex(({ codes }) => codes[0] === code) === index);
