import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/target.ts';
import { API_KEY, createReferenceServer } from '../reference.ts';
import { runAgainst, runCommand } from './run-command.ts';

/** Stops serving once it has responded to this many requests. */
async function serveUntil(requests: number) {
  const reference = createReferenceServer();
  let served = 0;
  const deployment = await serveFetch(async (url, init) => {
    served += 1;
    if (served > requests) void deployment[Symbol.asyncDispose]();
    return reference(url, init);
  });
  return deployment;
}

/** A byte now and then, for ever. */
async function* drip() {
  for (;;) {
    yield new Uint8Array([0x20]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const url = ['--base-url', 'http://127.0.0.1:1/v1'];
const key = ['--api-key', 'k'];

// One after another: the deployment is served by this process, which must not be kept from responding.
describe('petstore-conformance without a verdict', () => {
  test('exits 2 with one line when the target cannot be reached, without showing the key', async () => {
    const deployment = await serveFetch(createReferenceServer());
    await deployment[Symbol.asyncDispose]();
    const { stdout, stderr, code } = await runCommand([
      '--base-url',
      deployment.baseUrl,
      '--api-key',
      'secret',
    ]);
    expect(stderr).toMatch(/^error: The target cannot be reached: .*ECONNREFUSED.*\n$/);
    expect(stdout + stderr).not.toContain('secret');
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });

  test('exits 2 with one line when the target refuses the key', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const { stdout, stderr, code } = await runCommand([
      '--base-url',
      deployment.baseUrl,
      '--api-key',
      'secret',
    ]);
    expect(stderr).toMatch(/^error: The target refuses the API key: .*invalid_api_key.*\n$/);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });

  test('exits 2 with one line when the base URL lacks the version prefix', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const baseUrl = deployment.baseUrl.replace('/v1', '');
    const { stdout, stderr, code } = await runCommand(['--base-url', baseUrl, '--api-key', API_KEY]);
    expect(stderr).toMatch(/^error: The target has no pets at its base URL, .*path_not_found.*\n$/);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });

  test('exits 2 and names the check when the target stops in the middle of a run', async () => {
    await using deployment = await serveUntil(60);
    const { lines, stderr, code } = await runCommand([
      '--base-url',
      deployment.baseUrl,
      '--api-key',
      API_KEY,
    ]);
    expect(stderr).toMatch(
      /^error: The target stopped responding during the check ".+": .*expected a response, got .*\n$/,
    );
    expect(lines.at(-1)).toMatch(/^\d+ passed, 1 failed \(1 finding\), \d+ not run$/);
    expect(code).toBe(2);
  });

  test('ends within the time limit when the target responds without end', async () => {
    const endless: Fetch = async (url, init) => {
      if (url.includes('?limit=1')) return createReferenceServer()(url, init);
      return new Response(ReadableStream.from(drip()), { headers: { 'content-type': 'application/json' } });
    };
    const { stderr, code } = await runAgainst(endless, '--total-time-limit', '4', '--time-limit', '1');
    expect(stderr).toContain('error: The checks took more than 4 s');
    expect(code).toBe(2);
  });

  test('exits 2 and names the variable whose key is wrong, without showing it', async () => {
    for (const name of ['PETSTORE_API_KEY', 'PETSTORE_READ_API_KEY']) {
      const environment = { PETSTORE_API_KEY: 'good', [name]: 'Bearer secret' };
      const { stdout, stderr, code } = await runCommand([...url], environment);
      expect(stderr).toMatch(new RegExp(`^error: ${name} begins with "Bearer".*\n$`));
      expect(stdout + stderr).not.toContain('secret');
      expect(code).toBe(2);
    }
  });

  test('exits 2 and asks whether the target speaks http where it does not speak https', async () => {
    await using deployment = await serveFetch(createReferenceServer());
    const baseUrl = deployment.baseUrl.replace('http:', 'https:');
    const { stderr, code } = await runCommand(['--base-url', baseUrl, '--api-key', API_KEY]);
    expect(stderr).toMatch(/^error: The target cannot be reached by https; is it http\?: .*\n$/);
    expect(code).toBe(2);
  });

  test.each([
    ['without a base URL', key, '--base-url'],
    ['without a key', url, 'there is no API key: set PETSTORE_API_KEY'],
    ['with an empty key', [...url, '--api-key', ''], 'is empty'],
    ['with a key that has a line break', [...url, '--api-key', 'k\n'], 'line break'],
    ['with a key that begins with Bearer', [...url, '--api-key', 'Bearer k'], 'the key alone'],
    ['with a key that a header cannot have', [...url, '--api-key', 'ké'], 'visible ASCII'],
    ['with a base URL without a scheme', ['--base-url', 'localhost:3000/v1', ...key], 'begin with http://'],
    ['with the URL of a resource', ['--base-url', 'http://a.test/v1/pets', ...key], 'http://a.test/v1'],
    ['with a password in the URL', ['--base-url', 'http://a:b@c.test/v1', ...key], 'no user name'],
    ['with a query in the URL', ['--base-url', 'http://a.test/v1?limit=1', ...key], 'no query'],
    ['with an unknown profile', [...url, ...key, '--profile', 'strict'], 'interface'],
    ['for a version that it does not know', ['--base-url', 'http://127.0.0.1:1/v9', ...key], '/v9'],
    ['with an unknown option', [...url, ...key, '--fast'], '--fast'],
    ['with an unknown reporter', [...url, ...key, '--reporter', 'tap'], 'junit'],
    ['with a time limit that is none', [...url, ...key, '--time-limit', '0'], 'seconds'],
    ['when no check is selected', [...url, ...key, '--only', 'zebra'], 'no check'],
  ])('exits 2 and says why %s', async (_when, args, why) => {
    const { stderr, code } = await runCommand([...args]);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});
