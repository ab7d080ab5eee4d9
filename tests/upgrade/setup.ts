import { spawnSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { buildRelease } from '../../scripts/compatibility/build-release.ts';
import { releaseCommit } from '../../scripts/compatibility/last-release.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The `petstore` command of the release that is upgraded. */
    releasedCli: string;
  }
}

/** The first commit whose servers can live with a newer schema. An older release has no way back. */
const FIRST_COMMIT = 'f02df66ec2ed63d189437d8bd44f3ef3f4dcbae7';

/** Builds the release to upgrade from: `UPGRADE_FROM`, or the last one. */
export default async function setup({ provide }: TestProject) {
  const commit = process.env.UPGRADE_FROM ?? lastRelease();
  console.info(`upgrade from ${commit}`);
  const release = await buildRelease(commit);
  provide('releasedCli', release.cli);
  return () => release[Symbol.asyncDispose]();
}

function lastRelease(): string {
  const commit = releaseCommit();
  if (commit === undefined) throw new Error('The history does not reach back to the last release');
  return isAncestor(FIRST_COMMIT, commit) ? commit : FIRST_COMMIT;
}

const isAncestor = (commit: string, of: string) =>
  spawnSync('git', ['merge-base', '--is-ancestor', commit, of]).status === 0;
