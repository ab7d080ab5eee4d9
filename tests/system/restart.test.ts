import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { CLI, FIXED_KEY } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

const HOLDER = fileURLToPath(new URL('socket_holder.py', import.meta.url));

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
  const holder = spawn('python3', [HOLDER, `${port}`, process.execPath, CLI, 'serve'], { env });
  // The holder prints the id of each process that it starts.
  const nextPid = async () => Number(String((await once(holder.stdout, 'data'))[0]));
  const failures: unknown[] = [];
  let created = 0;
  let isEnding = false;
  const request = fetchWithKey(`http://127.0.0.1:${port}`, FIXED_KEY);
  const call = async () => {
    while (!isEnding) {
      // Each request opens a connection, because the test is about refused connections.
      const adding = request('/v1/pets', creation('a', { connection: 'close' }));
      const response = await adding.catch((error: Error) => error.cause);
      if (response instanceof Response && response.status === 201) created += 1;
      else failures.push(response);
      await sleep(20);
    }
  };
  const createMore = () => {
    const before = created;
    return expect.poll(() => created).toBeGreaterThan(before + 50);
  };
  let pid = await nextPid();
  const callers = Array.from({ length: 8 }, call);
  try {
    for (let restart = 0; restart < 2; restart += 1) {
      await createMore();
      const next = nextPid();
      process.kill(pid, 'SIGTERM');
      pid = await next;
    }
    await createMore();
  } finally {
    isEnding = true;
    await Promise.all(callers);
    holder.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
  }
  expect(failures).toEqual([]);
});
