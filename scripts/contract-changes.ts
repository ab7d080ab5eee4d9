/**
 * Names what changed in `packages/contract/openapi.json` since a commit, and the version that each change needs:
 * `node scripts/contract-changes.ts [commit]`, by default since the merge base with `main`. It fails unless a changeset
 * asks for at least the highest of these versions.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readChangesets } from '@changesets/read';
import { listChanges, type OpenApi, versions } from './list-changes.ts';

const FILE = 'packages/contract/openapi.json';

const [commit = mergeBase()] = process.argv.slice(2);
const json = git('show', `${commit}:./${FILE}`) ?? fail(`There is no ${FILE} in ${commit}`);
const before: OpenApi = JSON.parse(json);
const after: OpenApi = JSON.parse(readFileSync(FILE, 'utf8'));

const changes = listChanges(before, after);
for (const { version, text } of changes) console.log(version.padEnd(6), text);

// The first change needs the highest version.
const needed = changes[0]?.version;
if (needed === undefined) {
  console.log(`The contract is as it was in ${commit}.`);
} else {
  const changesets = await readChangesets(process.cwd());
  // All packages get the same version, so a changeset of any package counts.
  const requested = new Set(changesets.flatMap(({ releases }) => releases.map(({ type }) => type)));
  const sufficient = versions.slice(versions.indexOf(needed)).findLast((version) => requested.has(version));
  if (sufficient !== undefined) console.log(`A changeset asks for a ${sufficient} version.`);
  else fail(`The contract needs a ${needed} version: run "pnpm changeset", and choose ${needed}.`);
}

function mergeBase(): string {
  const base = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main');
  return base?.trim() ?? fail('There is no branch main to compare with: name a commit');
}

/** @returns what git prints, or `undefined` if it fails */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
