import type { Operation } from '../contract.ts';
import { isPetStoreError } from '../errors/index.ts';
import type { ContractResponse, SafeResults } from './response.ts';

/** Turns a PetStoreError into a value. Other errors are bugs in a program, and stay errors. */
export async function settle<Name extends Operation>(
  call: Promise<ContractResponse<Name>>,
): Promise<SafeResults[Name]> {
  try {
    return await call;
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return { status: 'failed', error, requestId: error.requestId };
  }
}
