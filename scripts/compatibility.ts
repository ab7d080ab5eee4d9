/**
 * Which version the changes since the last release need: major, minor or patch. Fails when less is announced,
 * by the version of the contract or by a changeset.
 *
 * The OpenAPI documents and the types of the two releases are compared. Then, unless it is called with --static,
 * the last release is built in a folder of its own, and each release's server runs against the client and the
 * conformance suite of the other. `pnpm build` must have run.
 */
import { renderOpenApi } from '../packages/contract/src/openapi/document.ts';
import { type Change, covers, describeChanges, highestLevel } from './compatibility/changes.ts';
import { compareDocuments } from './compatibility/document-changes.ts';
import {
  declaredLevel,
  files,
  readText,
  releaseCommit,
  releasedVersion,
} from './compatibility/last-release.ts';
import { runBothReleases } from './compatibility/run-both-releases.ts';
import { compareTypes } from './compatibility/type-changes.ts';

const changes: Change[] = compareDocuments(
  JSON.parse(readText(files.document.released)),
  JSON.parse(renderOpenApi()),
  new Date(),
);
// The types are generated from the document: what it explains, they would only repeat.
const typeChanges = compareTypes(readText(files.types.released), readText(files.types.now));
changes.push(...typeChanges.filter(({ level }) => !covers(highestLevel(changes), level)));

const commit = process.argv.includes('--static') ? undefined : releaseCommit();
if (commit !== undefined) changes.push(...(await runBothReleases(commit)));

const [needed, declared, version] = [highestLevel(changes), declaredLevel(), releasedVersion()];
console.log(
  needed === 'none'
    ? `The contract is that of version ${version}.`
    : `The changes since version ${version} need a ${needed} version; announced is ${declared}.`,
);
for (const line of describeChanges(changes)) console.log(line);
if (commit === undefined) console.log('Only the contracts were compared, and no servers.');
if (!covers(declared, needed)) {
  console.error(`error: announce a ${needed} version of @petstore/contract: run "pnpm changeset"`);
  process.exitCode = 1;
}
// Checks of the conformance suite may leave connections open, which would keep this process from ending.
setTimeout(() => process.exit(), 1_000).unref();
