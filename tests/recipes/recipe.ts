import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Turns the text of a file into what it is afterwards; a new file has none. */
export type Edit = (text: string) => string;

/** A recipe of CONTRIBUTING.md, followed for its example. */
export interface Recipe {
  /** What the example is. */
  title: string;
  /** Its heading in CONTRIBUTING.md. */
  heading: string;
  /** How many files it may touch, with those that the build writes. */
  maxFiles: number;
  /** The files that it names, by their paths from the root. */
  edits: Readonly<Record<string, Edit>>;
}

/** Inserts a text behind another one, which the file must have once. */
export const after =
  (anchor: string, added: string): Edit =>
  (text) => {
    const parts = text.split(anchor);
    if (parts.length !== 2) throw new Error(`The file has ${parts.length - 1} times: ${anchor}`);
    return parts.join(anchor + added);
  };

/** Makes one edit behind another. */
export const all =
  (...edits: Edit[]): Edit =>
  (text) =>
    edits.reduce((edited, edit) => edit(edited), text);

/** Adds a migration to the list of all, by the name of its file and its constant. */
export const listMigration = (name: string, constant: string): Edit =>
  all(after("from 'kysely/migration';\n", `import { ${constant} } from './${name}.ts';\n`), (text) =>
    text.replace(/\n};\n/, `\n  '${name}': ${constant},\n};\n`),
  );

/** @param fileOf the path of a file of the copy in which the recipe is followed */
export function follow({ edits }: Recipe, fileOf: (path: string) => string): void {
  for (const [path, edit] of Object.entries(edits)) {
    const file = fileOf(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, edit(existsSync(file) ? readFileSync(file, 'utf8') : ''));
  }
}
