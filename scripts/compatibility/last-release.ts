import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { highestLevel, type Level, levels } from './changes.ts';
import { objectOf } from './json.ts';

const root = new URL('../../', import.meta.url);

/** Files of the contract as they are now, and as `pnpm record-release` left them at the last release. */
export const files = {
  document: { now: 'packages/contract/openapi.json', released: 'packages/contract/released/openapi.json' },
  types: { now: 'packages/client/src/contract.ts', released: 'packages/contract/released/contract.ts' },
} as const;

export const pathOf = (file: string): string => fileURLToPath(new URL(file, root));
export const readText = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** The version of the last release. */
export function releasedVersion(): string {
  return String(objectOf(objectOf(JSON.parse(readText(files.document.released))).info).version);
}

/**
 * The commit of the last release: the last one that changed what is recorded of it.
 *
 * @returns `undefined` where the history does not reach back to it, as in a shallow clone
 */
export function releaseCommit(): string | undefined {
  const args = ['log', '-1', '--format=%H', '--', 'packages/contract/released'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim() || undefined;
}

/** The level that is announced: by a version that was raised already, or by the changesets for the contract. */
export function declaredLevel(): Level {
  const { version } = objectOf(JSON.parse(readText('packages/contract/package.json')));
  const raised = levelBetween(releasedVersion(), String(version));
  const changes = changesets().map((level) => ({ level, where: '', what: '' }));
  return highestLevel([{ level: raised, where: '', what: '' }, ...changes]);
}

function levelBetween(before: string, after: string): Level {
  const [old, now] = [before, after].map((version) => version.split('.').map(Number));
  const index = [0, 1, 2].find((part) => old?.[part] !== now?.[part]);
  return index === undefined ? 'none' : ((['major', 'minor', 'patch'] as const)[index] ?? 'none');
}

/** The level of each changeset that names the contract. */
function changesets(): Level[] {
  const folder = new URL('.changeset/', root);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map(
      (name) =>
        /^['"]?@petstore\/contract['"]?: *(\w+)$/m.exec(readFileSync(new URL(name, folder), 'utf8'))?.[1],
    )
    .map((level) => levels.find((known) => known === level) ?? 'none');
}
