/** Parses a URL, or returns `undefined`. `URL.parse` does the same, but React Native and Node 20 lack it. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
