import { isPetStoreError } from '../errors/index.ts';
import type { Failure } from './response.ts';

/** Turns a PetStoreError into a value. Other errors are bugs in a program, and stay errors. */
export async function settle<Result>(call: Promise<Result>): Promise<Result | Failure> {
  try {
    return await call;
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return { status: 'failed', error, requestId: error.requestId };
  }
}
