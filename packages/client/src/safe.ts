import type { Answer, Identified, Operation } from './contract.ts';
import { isPetStoreError, type PetStoreError } from './errors/index.ts';

/** Stands for an answer where there is none that the contract has for the operation. */
export interface Failure extends Identified {
  status: 'failed';
  /** What the other forms would throw. */
  error: PetStoreError;
}

/** What each operation resolves to in its safe form: every answer that the contract has for it, or a failure. */
export type SafeResults = { [Name in Operation]: Answer<Name> | Failure };

/** Gives a call's PetStoreError as a value. Other errors are mistakes in a program, and stay errors. */
export async function settle<Result>(call: Promise<Result>): Promise<Result | Failure> {
  try {
    return await call;
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return { status: 'failed', error, requestId: error.requestId };
  }
}
