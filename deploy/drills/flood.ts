/**
 * Floods a port with pipelined requests without a valid key, and measures how long newcomers wait meanwhile:
 *
 *   node deploy/drills/flood.ts --port 8080 --admin-port 9464 --key pst_… --connections 2500 --pipelined 64
 *
 * The flood comes from 127.0.0.2, or from `--from`, and the newcomers from 127.0.0.1: a connection every 100 ms, which
 * sends a list with the key. With `--guess` the requests of the flood have a key that is not valid.
 */
import { fork } from 'node:child_process';
import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    'admin-port': { type: 'string' },
    key: { type: 'string' },
    connections: { type: 'string', default: '2500' },
    pipelined: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '10' },
    from: { type: 'string', default: '127.0.0.2' },
    guess: { type: 'boolean', default: false },
    flooding: { type: 'boolean', default: false },
  },
});
const port = Number(values.port);
const endAt = Date.now() + Number(values.seconds) * 1000;

/** Sends pipelined requests over and over again, and connects again when the connection is closed. */
function flood(requests: Buffer): void {
  const socket = connect({ host: '127.0.0.1', port, localAddress: values.from });
  let received = 0;
  const send = () => {
    received = 0;
    socket.write(requests);
  };
  socket.on('connect', send).on('data', (chunk) => {
    received += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
    if (received >= Number(values.pipelined)) send();
  });
  // A reset is what a flood is to expect.
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(flood, 50, requests));
}

/** How many milliseconds a request over a new connection takes, and its status or the code of its error. */
function ask(url: string, headers: Record<string, string>): Promise<{ ms: number; status: number | string }> {
  const startedAt = performance.now();
  const ended = (status: number | string) => ({ ms: performance.now() - startedAt, status });
  return new Promise((resolve) => {
    const request = get(url, { agent: false, headers, localAddress: '127.0.0.1' }, (response) => {
      response.resume().on('end', () => resolve(ended(response.statusCode ?? 0)));
    });
    request.setTimeout(20_000, () => request.destroy(new Error('no response within 20 s')));
    request.on('error', (error: NodeJS.ErrnoException) => resolve(ended(error.code ?? error.message)));
  });
}

async function measure(name: string, url: string, headers: Record<string, string>): Promise<void> {
  const asked: ReturnType<typeof ask>[] = [];
  while (Date.now() < endAt) {
    asked.push(ask(url, headers));
    await sleep(100);
  }
  const results = await Promise.all(asked);
  const times = results.map(({ ms }) => Math.round(ms)).sort((one, other) => one - other);
  const statuses = Object.entries(Object.groupBy(results, ({ status }) => status));
  const counts = statuses.map(([status, of]) => `${status}: ${of?.length}`).join(', ');
  console.log(`  ${name}: median ${times[times.length >> 1]} ms, longest ${times.at(-1)} ms (${counts})`);
}

if (values.flooding) {
  const guess = values.guess ? 'Authorization: Bearer not-a-key-of-this-service\r\n' : '';
  const request = `GET /v1/pets HTTP/1.1\r\nHost: petstore\r\n${guess}\r\n`;
  const requests = Buffer.from(request.repeat(Number(values.pipelined)));
  for (let number = 0; number < Number(values.connections); number += 1) flood(requests);
} else {
  // In a process of its own: the newcomers are measured, and not how busy the flood is.
  const child = fork(import.meta.filename, [...process.argv.slice(2), '--flooding']);
  await sleep(500);
  const admin = values['admin-port'];
  await Promise.all([
    measure('newcomers', `http://127.0.0.1:${port}/v1/pets?limit=5`, {
      authorization: `Bearer ${values.key}`,
    }),
    admin === undefined ? undefined : measure('/livez', `http://127.0.0.1:${admin}/livez`, {}),
  ]);
  child.kill('SIGKILL');
}
