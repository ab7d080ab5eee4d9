import { readFileSync } from 'node:fs';

/**
 * Ends the process with one line if Node.js is older than a command needs. A command imports its other files only after
 * this call, because an old Node.js cannot load them. Node.js 14 knows all syntax of this file.
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
