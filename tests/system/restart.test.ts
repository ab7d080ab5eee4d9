import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { temporaryFolder } from '@petstore/test-support/files';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { CLI, FIXED_KEY } from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import { expect, test } from 'vitest';

const HOLDER = `${import.meta.dirname}/socket_holder.py`;

test('a server on a socket of systemd restarts under load without a failed request', async () => {
  await using folder = await temporaryFolder();
  const port = await findFreePort();
  const env = {
    PATH: process.env.PATH,
    API_KEYS: FIXED_KEY,
    DATABASE_URL: `sqlite:${folder.file('petstore.db')}`,
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: '1000',
  };
  using holder = spawn('python3', [HOLDER, `${port}`, process.execPath, CLI, 'serve'], { env });
  // The holder prints the id of each process that it starts.
  const nextPid = async () => Number(String((await once(holder.stdout, 'data'))[0]));
  let pid = await nextPid();
  using _server = { [Symbol.dispose]: () => process.kill(pid, 'SIGKILL') };
  await using writers = startWriters(`http://127.0.0.1:${port}`, { count: 16 });
  const writeMore = () => {
    const before = writers.creations.length;
    return expect.poll(() => writers.creations.length).toBeGreaterThan(before + 100);
  };
  for (let restart = 0; restart < 2; restart += 1) {
    await writeMore();
    const next = nextPid();
    process.kill(pid, 'SIGTERM');
    pid = await next;
  }
  await writeMore();
  await writers.end();
  expect(writers.creations.filter(({ ids }) => ids.length === 0)).toEqual([]); // Each has got a 201.
});
