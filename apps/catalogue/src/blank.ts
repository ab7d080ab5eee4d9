/** Invisible characters: spaces, characters without width, and U+2800, the empty Braille pattern. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*/u;

/** Removes what is invisible at the beginning of a text. @returns an empty text if all of it is invisible */
export const trimBlankStart = (text: string): string => text.replace(BLANK, '');
