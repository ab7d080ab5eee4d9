// Each run of spaces can match in one place only: anything else would take long on hostile input.
const JSON_MEDIA_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*(?:;[ \t]*)?)?)?$/i;

/** Whether a Content-Type is one that createPet accepts: application/json, in UTF-8 where it names a charset. */
export function isJsonMediaType(contentType: string): boolean {
  return JSON_MEDIA_TYPE.test(contentType);
}
