/** An edit of a file, as CONTRIBUTING.md describes it. */
export interface Step {
  /** The path from the root. */
  file: string;
  /** @returns the file as it is afterwards, from what it is before: empty where there is none */
  edit(source: string): string;
  /** What the output names when this step is left out. @default the path of the file in its package */
  named?: string;
  /** The test file that fails when this step is left out. @default none: `pnpm build` fails */
  noticedBy?: string;
  /** The recipe that shows what happens when such a step is left out. */
  isAsIn?: string;
}

/** A recipe of CONTRIBUTING.md, followed for an example. */
export interface Recipe {
  /** Its heading in CONTRIBUTING.md. */
  heading: string;
  steps: readonly Step[];
  /** The test files that hold what it changes beside code. */
  tests?: readonly string[];
}

/** Inserts a text after another one, which the source must have once. */
export const after = (anchor: string, text: string) => (source: string) =>
  replace(anchor, anchor + text)(source);

/** Inserts a text before another one, which the source must have once. */
export const before = (anchor: string, text: string) => (source: string) =>
  replace(anchor, text + anchor)(source);

/** Replaces a text, which the source must have once. */
export const replace = (old: string, text: string) => (source: string) => {
  const parts = source.split(old);
  if (parts.length !== 2) throw new Error(`The file has ${parts.length - 1} times: ${old}`);
  return parts.join(text);
};

/** Makes one edit after another. */
export const inTurn =
  (...edits: Step['edit'][]): Step['edit'] =>
  (source) =>
    edits.reduce((text, edit) => edit(text), source);

/** The path of a file within its package. */
export const pathInPackage = (file: string) => file.split('/').slice(2).join('/');

/** Adds a migration to the list of all. */
export const listMigration = (name: string, constant: string): Step => ({
  file: 'apps/server/src/migrations/index.ts',
  edit: inTurn(
    before('\n/** The history of the schema', `import { ${constant} } from './${name}.ts';\n`),
    before('};', `  '${name}': ${constant},\n`),
  ),
});
