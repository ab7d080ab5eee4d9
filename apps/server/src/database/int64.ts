/** A 64-bit integer: a number while that is exact, a bigint beyond. */
export type Int64 = number | bigint;

/** @param text decimal digits, with a sign where it is negative */
export function parseInt64(text: string): Int64 {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** An integer in its one form. */
export function toInt64(value: bigint): Int64 {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
