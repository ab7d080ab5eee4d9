import { parseJson, stringifyJson } from '@petstore/contract';
import { changesBody, type Defect } from './defect.ts';

/** The service keeps the name in its own way. */
function mistakesName(change: (name: string) => string): Defect['breaks'] {
  return changesBody((text) => {
    if (!text.startsWith('{"name":') || text.includes('\\u0000')) return text;
    try {
      const value = parseJson(text);
      if (typeof value !== 'object' || value === null || !('name' in value)) return text;
      return typeof value.name === 'string' ? stringifyJson({ ...value, name: change(value.name) }) : text;
    } catch {
      return text;
    }
  });
}

export const nameDefects: Defect[] = [
  {
    defect: 'names trimmed',
    foundBy: 'A name with spaces around it is kept exactly',
    breaks: mistakesName((name) => name.trim()),
  },
  {
    defect: 'names normalised (NFC)',
    foundBy: 'A name with decomposed characters is kept exactly',
    breaks: mistakesName((name) => name.normalize('NFC')),
  },
  {
    defect: 'names normalised (NFKC)',
    foundBy: 'A name with compatibility characters is kept exactly',
    breaks: mistakesName((name) => name.normalize('NFKC')),
  },
  {
    defect: 'names kept in three bytes a character',
    foundBy: 'A name with an emoji is kept exactly',
    breaks: mistakesName((name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  },
  {
    defect: 'empty names replaced',
    foundBy: 'A name with no characters at all is kept exactly',
    breaks: mistakesName((name) => name || 'unnamed'),
  },
  {
    defect: 'names escaped for HTML',
    foundBy: 'A name with quotes, backslashes and markup is kept exactly',
    breaks: mistakesName((name) => name.replaceAll('<', '&lt;')),
  },
  {
    defect: 'invisible characters removed from names',
    foundBy: 'A name with control characters is kept exactly',
    breaks: mistakesName((name) => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')),
  },
  {
    defect: 'long names cut',
    foundBy: 'createPet accepts a body of 64 KiB',
    breaks: mistakesName((name) => name.slice(0, 255)),
  },
];
