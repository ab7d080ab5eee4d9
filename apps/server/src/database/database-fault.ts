/** A database that cannot be used as it is: the message is one line for the operator. */
export class DatabaseFault extends Error {
  override name = 'DatabaseFault';
}
