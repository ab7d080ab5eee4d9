import { readFileSync } from 'node:fs';

/**
 * Ends the process with one line if Node.js is older than a command needs. A command imports nothing else before: an
 * old Node.js could not load it. This file has no syntax that Node.js 14 does not know.
 * @param manifest package.json of the command, whose `engines` has the version
 */
export function requireNode(command: string, manifest: URL, { exitCode = 1 } = {}): void {
  const { engines }: { engines: { node: string } } = JSON.parse(readFileSync(manifest, 'utf8'));
  const required = engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(required, 'en', { numeric: true }) >= 0) return;
  process.stderr.write(
    `${command}: Node.js ${required} or newer is required, this is ${process.versions.node}\n`,
  );
  process.exit(exitCode);
}
