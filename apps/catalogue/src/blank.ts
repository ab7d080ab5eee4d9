/** Characters that leave a gap in a page: spaces, those without width, and U+2800, the empty Braille pattern. */
const BLANK = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*/u;

/** Removes what is invisible at the beginning of a text. @returns an empty text if all of it is invisible */
export const trimBlank = (text: string): string => text.replace(BLANK, '');
