import type { Operation } from '../contract.ts';
import { type AnyPetStoreError, isPetStoreError } from '../errors/index.ts';
import type { PetStoreResponse, WithRequestId } from './response.ts';

/** Takes the place of a response where there is none that the contract has for the operation. */
export interface Failure extends WithRequestId {
  status: 'failed';
  /** The error that the operation throws outside of `safe`. */
  error: AnyPetStoreError;
}

/** What each operation of `safe` resolves to: every response of the contract, or a failure. */
export type SafeResults = { [Name in Operation]: PetStoreResponse<Name> | Failure };

/** Turns a PetStoreError into a value. Other errors are bugs in a program, and stay errors. */
export async function settle<Result>(call: Promise<Result>): Promise<Result | Failure> {
  try {
    return await call;
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return { status: 'failed', error, requestId: error.requestId };
  }
}
