/** A parameter of a media type, or none between two semicolons (RFC 9110, 5.6.6). */
const PARAMETER = /[ \t]*;[ \t]*(?:([!#$%&'*+.^`|~\w-]+)=([!#$%&'*+.^`|~\w-]+|"(?:[^"\\]|\\.)*"))?/y;

/**
 * Whether a Content-Type is one that the service accepts: application/json, in UTF-8 where it names a charset. Other
 * parameters are ignored (RFC 2045, 1), which some clients add for servers of their own.
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
