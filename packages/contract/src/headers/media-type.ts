/** A parameter of a media type; it may be empty (RFC 9110, 5.6.6). */
const PARAMETER = /[ \t]*;[ \t]*(?:([!#$%&'*+.^`|~\w-]+)=([!#$%&'*+.^`|~\w-]+|"(?:[^"\\]|\\.)*"))?/gy;

/**
 * Whether the service accepts a Content-Type: application/json, in UTF-8 if it names a charset. Other parameters, which
 * some clients add, are ignored (RFC 2045, 5).
 */
export function isJsonMediaType(contentType: string): boolean {
  const [, parameters] = /^application\/json(|[ \t;].*)$/i.exec(contentType) ?? [];
  if (parameters === undefined) return false;
  for (const [, name, value] of parameters.matchAll(PARAMETER)) {
    if (name?.toLowerCase() === 'charset' && !/^(?:utf-8|"utf-8")$/i.test(value ?? '')) return false;
  }
  // The pattern is sticky: it removes parameters only from the beginning, up to the first fault.
  return /^[ \t]*$/.test(parameters.replaceAll(PARAMETER, ''));
}
