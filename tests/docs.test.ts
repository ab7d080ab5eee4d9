import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** The fragments that GitHub gives to the headings of a page. */
const anchorsOf = (markdown: string) =>
  Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const documents = ['*.md', 'docs/*.md', 'deploy/**/*.md', 'apps/catalogue/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: ROOT }),
);

test.each(documents)('%s links to files and headings that exist', (document) => {
  const links = Array.from(
    read(document).matchAll(/\]\((?!http)([^)#]*)(?:#([\w-]+))?\)/g),
    ([, file = '', anchor]) => ({
      path: file === '' ? document : relative(ROOT, resolve(ROOT, dirname(document), file)),
      anchor,
    }),
  );
  const isBroken = ({ path, anchor }: { path: string; anchor: string | undefined }) =>
    !existsSync(join(ROOT, path)) || (anchor !== undefined && !anchorsOf(read(path)).includes(anchor));
  expect(links.filter(isBroken)).toEqual([]);
});
