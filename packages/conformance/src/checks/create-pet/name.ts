import type { Check } from '../../check.ts';
import { expectKept } from '../../pets.ts';

const names = {
  'an emoji': 'Ñandú 🦤',
  'spaces around it': '  Rex\t\n',
  'decomposed characters': 'N\u0303andu\u0301',
  'compatibility characters': 'ﬁdo ① Å',
  'no characters at all': '',
  'quotes, backslashes and markup': '"\\ </script><b>&amp;\'; --',
  'line separators, a byte order mark and direction marks': '\u2028\u2029\ufeff\u202e',
  'control characters': '\u0001\b\u001f\u007f',
};

export const name = Object.entries(names).map(
  ([what, text]): Check => ({
    name: `A name with ${what} is kept exactly`,
    cites: 'decision: name',
    readOnly: false,
    run: (target) => expectKept(target, { name: text }),
  }),
);
