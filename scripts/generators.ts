/**
 * Runs well-known client generators against the OpenAPI document, compiles what they generate under strict
 * settings, and makes a round trip with each against the pet store in memory. A command of its own, `pnpm
 * generators`, because it installs 180 MB; `pnpm build` must have run.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { createMemoryPetStore } from '../packages/client/src/testing/index.ts';

const folder = fileURLToPath(new URL('../packages/contract/generators/', import.meta.url));

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: folder, stdio: 'inherit' });
}
const runInstalled = (name: string, ...args: string[]) => run(`${folder}node_modules/.bin/${name}`, ...args);

run('pnpm', 'install', '--ignore-workspace', '--ignore-scripts', '--frozen-lockfile');
runInstalled('openapi-typescript', '../openapi.json', '-o', 'generated/openapi-typescript.ts');
runInstalled('openapi-ts', '-i', '../openapi.json', '-o', 'generated/hey-api', '-c', '@hey-api/client-fetch');
runInstalled('orval', '--config', 'orval.config.js');
runInstalled('kubb', 'generate', '--config', 'kubb.config.js');
runInstalled('tsc', '-p', '.');
runInstalled(
  'esbuild',
  'round-trip.ts',
  '--bundle',
  '--platform=node',
  '--format=esm',
  '--outfile=generated/round-trip.mjs',
);

const apiKey = 'generated-clients';
const pets = [{ name: 'big', categoryId: 9007199254740993n }];
await using server = await serveFetch(createMemoryPetStore({ apiKey, pets }).fetch);
const env = { ...process.env, BASE_URL: server.baseUrl, API_KEY: apiKey };
const child = spawn(process.execPath, ['generated/round-trip.mjs'], { cwd: folder, env, stdio: 'inherit' });
const [code] = await once(child, 'exit');
if (code !== 0) process.exitCode = 1;
