/** Says when to try again. The pages and their script use it. */
export function retryText(seconds: number): string {
  if (seconds <= 10) return 'in a moment';
  return seconds <= 90 ? `in ${seconds} seconds` : `in ${Math.ceil(seconds / 60)} minutes`;
}
