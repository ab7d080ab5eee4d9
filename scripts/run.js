/**
 * Runs a script of this folder: `node scripts/run.js build.ts`. If Node.js is too old, it prints one line instead.
 *
 * It is plain JavaScript, which an old Node.js can run. `devEngines` in package.json cannot replace this
 * check: npm obeys `devEngines`, too, and then npx could not run a newer Node.js.
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const required = engines.node.replace('>=', '');
const { node: version } = process.versions;

if (version.localeCompare(required, 'en', { numeric: true }) < 0) {
  // pnpm names the script that it runs.
  const remedy = `npx -y -p node@24 -p pnpm@12 pnpm ${process.env.npm_lifecycle_event || 'start'}`;
  console.error(`Node.js ${required} or newer is required, this is ${version}. Run: ${remedy}`);
  process.exitCode = 1;
} else {
  // Removes the script's name, so that the script finds its own arguments.
  const [script] = process.argv.splice(2, 1);
  await import(`./${script}`);
}
