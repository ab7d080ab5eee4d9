/**
 * Which version the changes since the last release need: major, minor or patch. Fails when less is announced,
 * by the version of the contract or by a changeset.
 *
 * It compares the OpenAPI documents and the types of the two releases. Then, unless it is called with --static,
 * it builds the last release in a folder of its own and runs each release's server against the client and the
 * conformance suite of the other. `pnpm build` must have run.
 */
import {
  declaredLevel,
  files,
  readText,
  releaseCommit,
  releasedVersion,
} from './compatibility/last-release.ts';
import { type Change, covers, highestLevel } from './compatibility/level.ts';
import { compareDocuments } from './compatibility/openapi-changes.ts';
import { runBothReleases } from './compatibility/run-both-releases.ts';
import { compareTypes } from './compatibility/type-changes.ts';

const isStatic = process.argv.includes('--static');
const version = releasedVersion();

const changes: Change[] = [
  ...compareDocuments(
    JSON.parse(readText(files.document.released)),
    JSON.parse(readText(files.document.now)),
    new Date(),
  ),
  ...compareTypes(readText(files.types.released), readText(files.types.now)),
];

const commit = isStatic ? undefined : releaseCommit();
if (commit !== undefined) changes.push(...(await runBothReleases(commit)));
else if (!isStatic)
  console.log('The history does not reach back to the last release: only its contract is compared.');

for (const { level, where, what } of changes) console.log(`${level.padEnd(5)} ${where}: ${what}`);

const [needed, declared] = [highestLevel(changes), declaredLevel()];
console.log(
  needed === 'none'
    ? `The contract is that of version ${version}.`
    : `The changes since version ${version} need a ${needed} version; announced is ${declared}.`,
);
if (!covers(declared, needed)) {
  console.error(`error: announce a ${needed} version of @petstore/contract: run "pnpm changeset"`);
  process.exitCode = 1;
}
