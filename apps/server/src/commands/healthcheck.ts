import type { Command } from 'commander';
import { get } from '../http/node-http.ts';
import { readConfig } from '../process/config.ts';
import { OperatorError } from '../process/operator-error.ts';
import { callableHost, originOf } from '../process/origin.ts';
import { fail, print } from './output.ts';

/** Exceeds the time that `/readyz` waits for the database. */
const TIMEOUT_MS = 3_000;

export function addHealthcheck(program: Command): void {
  program
    .command('healthcheck')
    .description('ask the server of this environment whether it is ready: exit code 0 or 1')
    .option('--live', 'ask only whether it responds: its database may be away')
    .action(healthcheck);
}

/** Asks the server at HOST and PORT: a container may have no curl. */
export async function healthcheck({ live = false }: { live?: boolean | undefined }): Promise<void> {
  const path = live ? '/livez' : '/readyz';
  try {
    // The other variables are left out, because they may be invalid.
    const { HOST, PORT } = readConfig({ HOST: process.env.HOST, PORT: process.env.PORT });
    if (PORT === 0) throw new OperatorError('PORT: must be the port of the server, not 0');
    const status = await requestStatus(HOST, PORT, path);
    if (status === 200) print(live ? 'live' : 'ready');
    else fail(`${path} responds ${status}`);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** Node's `fetch` would double the time that the command takes, and needs a URL, which cannot have an IPv6 zone. */
function requestStatus(host: string, port: number, path: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const target = { host: callableHost(host), port, path, agent: false, headers: { connection: 'close' } };
  // The timeout of the signal is an AbortError here.
  get({ ...target, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
    response.resume();
    resolve(response.statusCode);
  }).on('error', ({ name, message }) => {
    const reason = name === 'AbortError' ? 'it took too long' : message;
    reject(new Error(`no response from ${originOf(host, port)}${path}: ${reason}`));
  });
  return promise;
}
