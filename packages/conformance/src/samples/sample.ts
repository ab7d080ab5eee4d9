import { type ErrorCode, statusOf } from '@petstore/contract';
import type { Citation } from '../check.ts';
import type { RawResponse } from '../http/response.ts';
import { type SendOptions, send } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import type { NewPet } from '../interface.ts';

export interface Request extends SendOptions {
  method: string;
  path: string;
}

export interface Facts {
  /** The name of the operation; `undefined` where the path or the method has none. */
  operation: string | undefined;
  cites: Citation;
  /** Whether the request cannot add a pet, even if the deployment is faulty. */
  readOnly: boolean;
  /** The status of a success, or the codes that the error may have. The contract's code comes first. */
  expected: number | readonly [ErrorCode, ...ErrorCode[]];
  /** Checks the body of a success. @throws ConformanceError @default accepts all JSON */
  expectBody?: (response: RawResponse, status: number) => unknown;
}

/**
 * Finds what a request needs, such as a pet or its entity tag.
 * @param pet the pet to send, if the request has one
 */
type Prepare = (target: Target, pet?: NewPet) => Request | Promise<Request>;

/** A request that leaves existing pets alone, and the response that it leads to. */
export interface Sample extends Omit<Facts, 'expected'> {
  name: string;
  status: number;
  codes: readonly ErrorCode[];
  prepare: Prepare;
}

/**
 * Creates a sample for each row of a table.
 * @param sentenceEnd what follows `createPet returns 400` in its name; the name of the row replaces the `…`
 */
export function samplesOf<Value>(
  { expected, ...facts }: Facts,
  sentenceEnd: string,
  table: Readonly<Record<string, Value>>,
  prepare: (value: Value, ...given: Parameters<Prepare>) => ReturnType<Prepare>,
): Sample[] {
  const [status, codes] = typeof expected === 'number' ? [expected, []] : [statusOf(expected[0]), expected];
  const sentence = `${facts.operation ?? 'A request'} returns ${status} ${sentenceEnd}`;
  return Object.entries(table).map(([row, value]) => {
    const name = sentence.replace('…', row);
    return { ...facts, status, codes, name, prepare: (...given) => prepare(value, ...given) };
  });
}

/** Sends the request of a sample. The options replace the sample's options, but headers are added to its headers. */
export async function sendSample(
  target: Target,
  { prepare }: Sample,
  { pet, ...changes }: SendOptions & { pet?: NewPet } = {},
): Promise<RawResponse> {
  const { method, path, ...options } = await prepare(target, pet);
  const headers = { ...options.headers, ...changes.headers };
  return send(target, method, path, { ...options, ...changes, headers });
}

/** The first sample of each code, and the first one without a code. */
export const oneOfEachCode = (samples: readonly Sample[]): Sample[] =>
  samples.filter(({ codes: [code] }, index) => samples.findIndex(({ codes }) => codes[0] === code) === index);
