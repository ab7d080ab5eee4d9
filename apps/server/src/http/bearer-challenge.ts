/**
 * The `WWW-Authenticate` header of a response that refuses an API key (RFC 6750, 3).
 *
 * @param attributes of the challenge, such as `error`
 * @returns its name and value
 */
export function bearerChallenge(attributes: Readonly<Record<string, string>> = {}): [string, string] {
  const all = Object.entries({ realm: 'petstore', ...attributes });
  return ['WWW-Authenticate', `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`];
}
