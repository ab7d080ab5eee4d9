import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-support/files';
import { runTool } from '@petstore/test-support/programs';
import { codeBlocks } from '@petstore/test-support/readme';

/** The file of each published package, by the package's name. */
type Tarballs = ReadonlyMap<string, string>;

/** The command that installs packages, by package manager. */
const MANAGERS = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['pnpm', 'add'],
  yarn: ['npx', '--yes', '--package', '@yarnpkg/cli-dist@4', 'yarn', 'add'],
};

const pathOf = (file: string) => `${import.meta.dirname}/../../${file}`;

/** Runs a command to its end, without the environment variables that pnpm and vitest add. */
function run(cwd: string, command: string, args: readonly string[], variables: Record<string, string> = {}) {
  const added = /^(p?npm_|vitest|node_env|node_options)/i;
  const own = Object.entries(process.env).filter(([name]) => !added.test(name));
  return runTool(command, args, { cwd, env: { ...Object.fromEntries(own), ...variables } });
}

/** Packs the published packages into a folder, as `pnpm publish` would. */
export async function packAll(folder: TemporaryFolder): Promise<Tarballs> {
  const tarballs = new Map<string, string>();
  for (const name of ['contract', 'client', 'conformance']) {
    const tarball = folder.file(`${name}.tgz`);
    await run(pathOf(`packages/${name}`), 'pnpm', ['pack', '--out', tarball]);
    tarballs.set(`@petstore/${name}`, tarball);
  }
  return tarballs;
}

/** The oldest TypeScript of the client's README, the newest one, and types of Node.js. */
const COMPILERS = ['typescript-5@npm:typescript@~5.4.0', 'typescript@latest', '@types/node@24'];

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['esnext', 'dom', 'dom.iterable'],
  strict: true,
  declaration: true,
  noEmit: true,
  types: ['node'],
};

/**
 * Creates an app outside of this repository.
 * @param variables the environment variables of its programs
 */
export async function createApp(
  tarballs: Tarballs,
  manager: keyof typeof MANAGERS = 'npm',
  variables: Record<string, string> = {},
) {
  const folder = await temporaryFolder();
  const files = Array.from(tarballs, ([name, tarball]) => [name, `file:${tarball}`]);
  const resolutions = Object.fromEntries(files);
  // Yarn would look in the registry for the packages that a tarball needs.
  const manifest = { private: true, type: 'module', ...(manager === 'yarn' && { resolutions }) };
  await writeFile(folder.file('package.json'), JSON.stringify(manifest));
  const write = (name: string, text: string) => writeFile(folder.file(name), text);
  await write('.yarnrc.yml', 'nodeLinker: node-modules\n');
  // Yarn takes the folder with this file for the root of a project.
  await write('yarn.lock', '');
  const [command = '', ...flags] = MANAGERS[manager];
  return {
    ...folder,
    /** Installs packages from the registry, and our own packages from the tarballs. */
    async install(...packages: string[]) {
      const all = packages.map((name) => {
        const tarball = tarballs.get(name);
        if (tarball === undefined) return name;
        return manager === 'yarn' ? `${name}@file:${tarball}` : tarball;
      });
      await run(folder.path, command, [...flags, ...all]);
    },
    run: (name: string, ...args: string[]) => run(folder.path, name, args, variables),
    write,
    /** Compiles all TypeScript with both compilers, each with the module resolution of Node.js and of bundlers. */
    async compile({ skipLibCheck = true } = {}) {
      await run(folder.path, command, [...flags, ...COMPILERS]);
      let output = '';
      for (const module of ['nodenext', 'esnext']) {
        const moduleResolution = module === 'esnext' ? 'bundler' : module;
        const compilerOptions = { ...COMPILER_OPTIONS, skipLibCheck, module, moduleResolution };
        await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
        for (const compiler of ['typescript-5', 'typescript'])
          output += await run(folder.path, 'node', [`node_modules/${compiler}/bin/tsc`]);
      }
      return output;
    },
  };
}

export const readText = (file: string) => readFileSync(pathOf(file), 'utf8');

/** The packages that each `npm install` line of a text names. */
export const installLines = (text: string) =>
  Array.from(text.matchAll(/^npm install (.*)$/gm), ([, packages = '']) => packages.split(' '));

/** The TypeScript blocks of the section with this title. */
export function readSnippets(text: string, section: string): string[] {
  const [, body = ''] = new RegExp(`^## ${section}\\n(.*?)(?=^## )`, 'ms').exec(text) ?? [];
  return codeBlocks(body, 'ts').map(({ code }) => code);
}
