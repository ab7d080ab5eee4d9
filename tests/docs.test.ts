import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** The fragments that GitHub gives to the headings of a page. */
const anchorsOf = (markdown: string) =>
  Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const documents = ['*.md', 'docs/*.md', 'deploy/**/*.md', '{apps,packages}/*/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: ROOT }),
);

/** The links of a page, except URLs. */
const linksOf = (document: string) =>
  Array.from(read(document).matchAll(/\]\((?!http)([^)#]*)(?:#([\w-]+))?\)/g), ([, file = '', anchor]) => ({
    path: file === '' ? document : relative(ROOT, resolve(ROOT, dirname(document), file)),
    anchor,
  }));

test.each(documents)('%s links to files and headings that exist', (document) => {
  const isBroken = ({ path, anchor }: { path: string; anchor: string | undefined }) =>
    !existsSync(join(ROOT, path)) || (anchor !== undefined && !anchorsOf(read(path)).includes(anchor));
  expect(linksOf(document).filter(isBroken)).toEqual([]);
});

const isPublished = (document: string) => {
  const manifest = join(ROOT, dirname(document), 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).private !== true;
};

test.each(documents.filter(isPublished))('%s, which npm shows, links elsewhere by URL', (document) => {
  expect(linksOf(document).filter(({ path }) => !path.startsWith(`${dirname(document)}/`))).toEqual([]);
});
