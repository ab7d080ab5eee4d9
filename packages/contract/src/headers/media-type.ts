/** A parameter of a media type; it may be empty (RFC 9110, 5.6.6). */
const PARAMETER = /[ \t]*;[ \t]*(?:([!#$%&'*+.^`|~\w-]+)=([!#$%&'*+.^`|~\w-]+|"(?:[^"\\]|\\.)*"))?/y;

/**
 * Whether the service accepts a Content-Type: application/json, in UTF-8 if it names a charset. Other parameters, which
 * some clients add, are ignored (RFC 2045, 5).
 */
export function isJsonMediaType(contentType: string): boolean {
  const type = /^application\/json(?![^ \t;])/i.exec(contentType)?.[0];
  if (type === undefined) return false;
  PARAMETER.lastIndex = type.length;
  let end = type.length;
  for (let match = PARAMETER.exec(contentType); match !== null; match = PARAMETER.exec(contentType)) {
    const [, name, value] = match;
    if (name?.toLowerCase() === 'charset' && !/^(?:utf-8|"utf-8")$/i.test(value ?? '')) return false;
    end = PARAMETER.lastIndex;
  }
  return /^[ \t]*$/.test(contentType.slice(end));
}
