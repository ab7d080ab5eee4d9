/** A check found something that the interface does not allow. The message says what and what was expected. */
export class Nonconformity extends Error {
  override name = 'Nonconformity';
}

/** @throws Nonconformity with the message unless the condition holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Nonconformity(message);
}
