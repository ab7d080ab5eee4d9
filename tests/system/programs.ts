import { execFile, spawnSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-support/files';
import { startShell } from '@petstore/test-support/programs';
import { findFreePort, isListening } from '@petstore/test-support/servers/free-port';

const DEPLOY = `${import.meta.dirname}/../../deploy`;
const HAPROXY_CFG = `${DEPLOY}/haproxy.cfg`;
const IS_ROOT = userInfo().uid === 0;

export type Program = Awaited<ReturnType<typeof startHaproxy>>;

/** The ports of a server behind a proxy. */
export interface Backend {
  port: number;
  adminPort: number;
}

/** Lets HAProxy check its configuration with some variables. */
export function checkHaproxy(environment: Record<string, string>) {
  const env = { ...process.env, ...environment };
  return spawnSync('haproxy', ['-c', '-f', HAPROXY_CFG], { env, encoding: 'utf8' });
}

export async function startHaproxy([one, two]: [Backend, Backend]) {
  const port = await findFreePort();
  const environment = {
    BIND: `127.0.0.1:${port}`,
    SERVER_ONE: `127.0.0.1:${one.port}`,
    SERVER_TWO: `127.0.0.1:${two.port}`,
    ADMIN_ONE: `${one.adminPort}`,
    ADMIN_TWO: `${two.adminPort}`,
  };
  const running = await run(`haproxy -f ${HAPROXY_CFG}`, { port, environment });
  return { ...running, warnings: checkHaproxy(environment).stderr.replaceAll(/^.*\[NOTICE\].*\n/gm, '') };
}

/**
 * Starts nginx with `deploy/nginx.conf`, but other addresses and files, a short time limit for responses, and workers
 * that may use its folder.
 */
export async function startNginx([one, two]: [Backend, Backend]) {
  const folder = await temporaryFolder();
  const port = await findFreePort();
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = files.map((name) => `${name}_temp_path ${folder.file(name)};`).join('\n');
  const configuration = (await readFile(`${DEPLOY}/nginx.conf`, 'utf8'))
    .replace('user www-data;', IS_ROOT ? 'user root;' : '')
    .replaceAll(/\/var\/log\/nginx\/\w+\.log/g, folder.file('log'))
    .replaceAll('server-one:3000', `127.0.0.1:${one.port}`)
    .replaceAll('server-two:3000', `127.0.0.1:${two.port}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('proxy_read_timeout 40s', 'proxy_read_timeout 2s')
    .replace('http {', `daemon off; pid ${folder.file('pid')};\nhttp {\n${temporary}`);
  const file = folder.file('nginx.conf');
  await writeFile(file, configuration);
  const check = await promisify(execFile)('nginx', ['-t', '-q', '-c', file]);
  const running = await run(`nginx -c ${file}`, { port, folder });
  const readLog = async () => (await running.readLog()) + (await readFile(folder.file('log'), 'utf8'));
  return { ...running, warnings: check.stderr + (await running.readLog()), readLog };
}

/**
 * Starts PgBouncer in front of a PostgreSQL server.
 * @param settings of the section `pgbouncer`. They override those below, even the two that docs/configure.md requires
 * @returns the program, with the URL of the database through PgBouncer
 */
export async function startPgBouncer(databaseUrl: string, settings: Record<string, string | number>) {
  const folder = await temporaryFolder();
  const port = await findFreePort();
  const { username, password, hostname, port: databasePort } = new URL(databaseUrl);
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: folder.file('users'),
    server_login_retry: 1,
    ignore_startup_parameters: 'statement_timeout',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const target = `* = host=${hostname} port=${databasePort}`;
  const file = folder.file('pgbouncer.ini');
  await writeFile(file, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'));
  await writeFile(folder.file('users'), `"${username}" "${password}"\n`);
  // PgBouncer refuses to run as root: another user reads the folder.
  await chmod(folder.path, 0o755);
  const running = await run(`pgbouncer ${IS_ROOT ? '-u nobody' : ''} ${file}`, { port, folder });
  return { ...running, url: Object.assign(new URL(databaseUrl), { port }).href };
}

/** Starts a program, and waits until it accepts connections. Disposing ends it, and removes its folder. */
async function run(
  command: string,
  options: { port: number; environment?: Record<string, string>; folder?: TemporaryFolder },
) {
  const { port, environment = {}, folder } = options;
  const shell = startShell(`exec ${command}`, { environment });
  const ended = shell.ended.then((code) => {
    throw new Error(`${command} ended with ${code}: ${shell.output()}`);
  });
  while (!(await Promise.race([isListening(port), ended]))) await sleep(50);
  return {
    port,
    readLog: async () => shell.output(),
    async [Symbol.asyncDispose]() {
      await shell.end('SIGTERM');
      await folder?.[Symbol.asyncDispose]();
    },
  };
}
