/**
 * Runs a script of this folder: `node scripts/run.js build.ts`. A Node.js that is too old for it gets one line.
 *
 * Plain JavaScript, which an old Node.js can run. `devEngines` in package.json would be checked by npm as well, and
 * then npx could not bring a newer Node.js.
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const required = engines.node.replace('>=', '').split('.').map(Number);
const { node: version } = process.versions;
const [major, minor] = version.split('.').map(Number);

if (major < required[0] || (major === required[0] && minor < required[1])) {
  console.error(`Node.js ${required.join('.')} or newer is required, this is ${version}`);
  process.exitCode = 1;
} else {
  // Removes the script's name, so that the script finds its own arguments.
  const [script] = process.argv.splice(2, 1);
  await import(`./${script}`);
}
