/** A 64-bit integer: a number while that is exact, a bigint beyond. */
export type Int64 = number | bigint;

export function toInt64(value: bigint): Int64 {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
