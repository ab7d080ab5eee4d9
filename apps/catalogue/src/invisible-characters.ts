/** Control characters but tab and line feed, and noncharacters: HTML does not allow them in a page. */
const INVISIBLE = /[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n]]/gv;

export const removeInvisibleCharacters = (text: string): string => text.replace(INVISIBLE, '');

/** Replaces each by its code point, such as [U+001E]. Many fonts lack the symbols that Unicode has for them. */
export const showInvisibleCharacters = (text: string): string =>
  text.replace(INVISIBLE, (character) => {
    const codePoint = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `[U+${codePoint}]`;
  });
