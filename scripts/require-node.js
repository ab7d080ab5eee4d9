/**
 * Ends with one line when this Node.js is too old for the project. Plain JavaScript, which an old one can run.
 * `devEngines` in package.json would be checked by npm as well, and then npx could not bring a newer Node.js.
 *
 * @param argv the version to check, this process's when left out
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const required = engines.node.replace('>=', '').split('.').map(Number);
const version = process.argv[2] ?? process.versions.node;
const [major, minor] = version.split('.').map(Number);

if (major < required[0] || (major === required[0] && minor < required[1])) {
  console.error(`Node.js ${required.join('.')} or newer is required, this is ${version}`);
  process.exitCode = 1;
}
