export { isNoAnswerError, NoAnswerError } from './no-answer-error.ts';
export {
  isPetStoreError,
  type NoAnswerCode,
  PetStoreError,
  type PetStoreErrorCode,
} from './pet-store-error.ts';
export { isServiceError, ServiceError } from './service-error.ts';
export { isUnexpectedAnswerError, UnexpectedAnswerError } from './unexpected-answer-error.ts';
