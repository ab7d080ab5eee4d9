import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-support/files';
import { codeBlocks, variablesOf } from '@petstore/test-support/readme';
import { CLI } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { limits } from '../apps/server/src/http/limits.ts';
import { CLOSE_LOG_MS } from '../apps/server/src/telemetry/log.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'deploy');

const kustomizations = globSync('{kubernetes,backup}/**/kustomization.yaml', { cwd: FOLDER });
const manifests = globSync('{kubernetes,backup}/**/!(kustomization).yaml', { cwd: FOLDER });

const readText = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const readYaml = (file: string) => parse(readText(file), { merge: true });

const composed = readYaml('compose.yaml').services['server-one'];
const pod = readYaml('kubernetes/deployment.yaml').spec.template.spec;
const [container] = pod.containers;
const unit = readText('systemd/petstore.service');

const BACK_UP = join(FOLDER, 'backup/backup.sh');

/**
 * Returns a part of a program that compiles if a manifest has only properties of the API, and that runs if their values
 * are valid. The types and schemas that it imports are generated from the schemas of Kubernetes.
 */
function programOf(manifest: { apiVersion: string; kind: string }, index: number): string {
  const { apiVersion, kind, ...data } = manifest;
  const models = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  return `import { ${kind} as Kind${index} } from '${models}/${apiVersion}/${kind}';
new Kind${index}(${JSON.stringify(data)}).validate();
`;
}

test('the manifests, and the alert rules that the command of the manual wraps, are valid for Kubernetes', async () => {
  const manual = readText('../docs/deploy.md');
  const [, wrapRules = ''] = /^(\(printf .*PrometheusRule[^|]*)\| kubectl/m.exec(manual) ?? [];
  const rules = parse(execFileSync('sh', ['-c', wrapRules], { cwd: ROOT, encoding: 'utf8' }));
  expect(rules.spec).toEqual(readYaml('monitoring/petstore.rules.yml'));
  await using folder = await temporaryFolder();
  const documents = manifests.flatMap((file) => parseAllDocuments(readText(file)));
  const program = [rules, ...documents.map((document) => document.toJS())].map(programOf).join('');
  writeFileSync(folder.file('program.mts'), program);
  symlinkSync(join(ROOT, 'tests/node_modules'), folder.file('node_modules'));
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
  writeFileSync(folder.file('tsconfig.json'), JSON.stringify({ compilerOptions }));
  const options = { encoding: 'utf8', cwd: folder.path } as const;
  expect(spawnSync('node_modules/.bin/tsc', options).stdout).toBe('');
  expect(spawnSync(process.execPath, ['program.mts'], options).stderr).toBe('');
});

test('the kustomizations together list every manifest, and name the images of this version', () => {
  const listedIn = (file: string) => readYaml(file).resources.map((name: string) => join(file, '..', name));
  expect(kustomizations.flatMap(listedIn).toSorted()).toEqual(manifests.toSorted());
  const { version } = JSON.parse(readText('../packages/contract/package.json'));
  const images: { newTag: string }[] = kustomizations.flatMap((file) => readYaml(file).images ?? []);
  expect(new Set(images.map(({ newTag }) => newTag))).toEqual(new Set([version]));
});

test('the manual documents each variable that the files of deploy/ set for the server', () => {
  const documented = Object.keys(variablesOf(readText('../docs/configure.md')));
  for (const [file, names] of Object.entries({
    compose: Object.keys(composed.environment),
    kubernetes: container.env.map(({ name }: { name: string }) => name),
    systemd: namesIn(unit),
    systemdWithPostgres: namesIn(readText('systemd/postgres.conf')),
  })) {
    expect(names, file).not.toEqual([]);
    expect(documented, file).toEqual(expect.arrayContaining(names));
  }
});

/** The variables that a unit of systemd sets. */
const namesIn = (text: string) => text.match(/(?<=^Environment=.*)\b[A-Z_]+(?==)/gm) ?? [];

const timeouts = readText('../docs/deploy.md').split('\n## Timeouts\n')[1];
/** How long a server may take to stop after SHUTDOWN_GRACE_MS. */
const STOP_MS = limits.acceptMs + limits.shutdownMs + limits.endMs + CLOSE_LOG_MS;

test.each([
  ['| the headers of a request | … s', limits.headersTimeoutMs],
  ['| the whole request | … s', limits.requestTimeoutMs],
  ['| a connection with a request and no progress | … s', limits.inactivityMs],
  // A write that the kernel has taken in part counts as progress once: see `Socket.prototype._onTimeout` of Node.
  ['(in a response … s)', 2 * limits.inactivityMs],
  ['| requests in progress, once the port is closed | … s', limits.shutdownMs],
  ['after `SHUTDOWN_GRACE_MS` and … s', STOP_MS],
])('the manual has the time limit of the server in "%s"', (text, ms) => {
  expect(timeouts).toContain(text.replace('…', `${ms / 1000}`));
});

test('Docker, Kubernetes and systemd wait until a server has stopped', () => {
  const grace = container.env.find(({ name }: { name: string }) => name === 'SHUTDOWN_GRACE_MS');
  for (const [graceMs, seconds] of [
    [composed.environment.SHUTDOWN_GRACE_MS, composed.stop_grace_period.replace('s', '')],
    [grace.value, pod.terminationGracePeriodSeconds],
    [/SHUTDOWN_GRACE_MS=(\d+)/.exec(unit)?.[1], /TimeoutStopSec=(\d+)/.exec(unit)?.[1]],
  ])
    expect(1000 * Number(seconds)).toBeGreaterThanOrEqual(Number(graceMs) + STOP_MS);
});

test('proxies wait for longer than a server, and close idle connections before it does', () => {
  const proxies = readText('haproxy.cfg') + readText('nginx.conf');
  // One number of HAProxy, and one of nginx.
  const waiting = proxies.match(/(?<=timeout server |proxy_read_timeout )\d+(?=s)/g) ?? [];
  expect(waiting.map((seconds) => Number(seconds) * 1000 > limits.inactivityMs)).toEqual([true, true]);
  const { KEEP_ALIVE_TIMEOUT_MS } = variablesOf(readText('../docs/configure.md'));
  const idle = proxies.match(/(?<=timeout http-keep-alive |keepalive_timeout )\d+(?=s)/g) ?? [];
  expect(idle.map((seconds) => Number(seconds) * 1000 < Number(KEEP_ALIVE_TIMEOUT_MS))).toEqual([true, true]);
});

test('git ignores the files that commands of the manual write or read in a clone', () => {
  const manual = ['deploy', 'upgrade', 'configure'].map((page) => readText(`../docs/${page}.md`)).join('');
  const files = manual.match(/(?<=[<>=] ?)([\w-]+\.(key|log|dump|txt)|database-url|monitoring\/\w+)/g) ?? [];
  expect(`${execFileSync('git', ['check-ignore', ...files], { cwd: ROOT })}`).toBe(`${files.join('\n')}\n`);
});

test('the workers of nginx are in the group that may read the certificate', () =>
  expect(readText('nginx.conf')).toMatch(/^user ([\w-]+);$.*must be able to read it: group \1, mode 640/ms));

test('HAProxy asks the name server of Docker only about servers that no variable names', () =>
  expect(readText('haproxy.cfg')).not.toMatch(/(?<!\.if !defined\(SERVER_ONE\)\n)^.*server .*resolvers/m));

test('the command of the manual that renews a certificate passes all of it to HAProxy, which reads up to an empty line', () => {
  const [command = ''] = /^printf '@1 set ssl cert.*(?= \| socat)/m.exec(readText('../docs/deploy.md')) ?? [];
  const ofInput = command.replace('/etc/petstore/tls.pem)', '-)');
  const sent = execFileSync('sh', ['-c', ofInput], { input: 'certificate\n\nchain\n', encoding: 'utf8' });
  expect(sent).toContain(' <<\ncertificate\nchain\n\n@1 commit');
});

test('an outage of the database restarts no pod, and systemd repeats every failed start except one with a wrong configuration', () => {
  const { readinessProbe, livenessProbe } = container;
  expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/livez']);
  // The exit code of a start with a wrong configuration is 78.
  for (const line of ['Restart=on-failure', 'StartLimitIntervalSec=0', 'RestartPreventExitStatus=78'])
    expect(unit).toContain(`\n${line}\n`);
});

test('the three ways to run backups limit one to six hours, and Kubernetes starts one each day, in a time zone without changes', () => {
  const [, cronJob] = parseAllDocuments(readText('backup/backup.yaml')).map((document) => document.toJS());
  const jobTemplate = { spec: { activeDeadlineSeconds: 21_600 } };
  const schedule = expect.stringMatching(/^\d+ \d+ \* \* \*$/);
  expect(cronJob.spec).toMatchObject({ schedule, timeZone: 'Etc/UTC', jobTemplate });
  expect(readText('systemd/petstore-backup.service')).toContain('\nTimeoutStartSec=6h\n');
  expect(readYaml('compose.yaml').services.backup.entrypoint.at(-1)).toContain('timeout 6h bash /backup.sh');
});

test('petstore.service sets the rate limit of journald to ten million lines, and Docker rotates the log of each service', () => {
  expect(unit).toContain('\nLogRateLimitBurst=10000000\n');
  for (const service of Object.values(readYaml('compose.yaml').services))
    expect(service).toMatchObject({ logging: { driver: 'local' } });
});

test('the secrets of Compose are a password and a URL with it, and a second run changes neither', async () => {
  await using folder = await temporaryFolder();
  const script = `cp '${FOLDER}/make-secrets.sh' . && ./make-secrets.sh &&
    cd secrets && cat database-password && echo && cat database-url`;
  const makeSecrets = () => execFileSync('sh', ['-c', script], { cwd: folder.path, encoding: 'utf8' });
  const secrets = makeSecrets();
  expect(secrets).toMatch(/^([0-9a-f]{48})\npostgres:\/\/petstore:\1@database\/petstore\n$/);
  expect(makeSecrets()).toBe(secrets);
});

const modeOf = (file: string) => statSync(file).mode & 0o777;

/** Creates a database in a folder. @returns the variables for a backup of it into the same folder */
function createDatabase({ path, file }: TemporaryFolder) {
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: `sqlite:${file('pets.db')}`,
    // The script splits it at spaces, which the path of a checkout may have.
    PETSTORE: `${process.execPath} ${relative('.', CLI)}`,
    BACKUP_FOLDER: path,
  };
  execFileSync(process.execPath, [CLI, 'migrate'], { env: environment, stdio: 'ignore' });
  return environment;
}

test('the backup script keeps the newest 24 backups and the first of 14 days, removes partial ones of a day ago, and passes the new one to the upload', async () => {
  await using folder = await temporaryFolder();
  const env = { ...createDatabase(folder), BACKUP_UPLOAD: `cp "$1" '${folder.file('uploaded')}'` };
  // One backup for each hour of a day, and two on each of the nineteen days before it.
  const existing = Array.from({ length: 20 * 24 }, (_, hour) => {
    return `petstore-${new Date(Date.UTC(2025, 0, 1, hour)).toISOString().slice(0, 13)}0000Z.db`;
  }).filter((_, hour) => hour >= 19 * 24 || hour % 12 === 0);
  const [abandoned, inProgress] = ['petstore-a.db.partial-1', 'petstore-b.db.partial-2'];
  for (const name of [...existing, abandoned, inProgress]) writeFileSync(folder.file(name), '');
  execFileSync('touch', ['-d', new Date(Date.now() - 25 * 3_600_000).toISOString(), folder.file(abandoned)]);

  const made = execFileSync(BACK_UP, { env, encoding: 'utf8' }).trim();

  expect(readFileSync(folder.file('uploaded'))).toEqual(readFileSync(made));
  const left = globSync('petstore-*', { cwd: folder.path }).toSorted();
  // The new backup is the first of the fourteenth day, and the newest of the 24.
  const firstOfDays = existing.filter((name) => name.includes('T00')).slice(-13);
  const newest = [...existing.slice(-23), basename(made)];
  expect(left).toEqual([...new Set([...firstOfDays, ...newest]), inProgress].toSorted());
  expect([folder.file('petstore.prom'), made].map(modeOf)).toEqual([0o644, 0o600]);
  const metric = readFileSync(folder.file('petstore.prom'), 'utf8');
  expect(metric).toMatch(/^petstore_last_backup_timestamp_seconds \d+\n$/);
});

/** Writes more backups than a successful run leaves, with times in the future. */
function writeBackups(folder: TemporaryFolder): void {
  for (let year = 2101; year <= 2140; year++) writeFileSync(folder.file(`petstore-${year}-01-01.db`), '');
}

test('the backup script keeps the new backup even if the clock was ahead for all others', async () => {
  await using folder = await temporaryFolder();
  writeBackups(folder);
  const made = execFileSync(BACK_UP, { env: createDatabase(folder), encoding: 'utf8' });
  expect(existsSync(made.trim())).toBe(true);
});

test('the backup script fails if its upload fails, and then removes no backup and counts none', async () => {
  await using folder = await temporaryFolder();
  const env = { ...createDatabase(folder), BACKUP_UPLOAD: 'exit 9' };
  writeBackups(folder);
  expect(spawnSync(BACK_UP, { env }).status).toBe(9);
  expect(globSync('petstore-*.db', { cwd: folder.path })).toHaveLength(41);
  expect(existsSync(folder.file('petstore.prom'))).toBe(false);
});

/** Writes a program that replaces one of PostgreSQL. */
const writeProgram = (folder: TemporaryFolder, name: string, script: string) =>
  writeFileSync(folder.file(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

test('the backup script keeps a dump only if it can be restored', async () => {
  await using folder = await temporaryFolder();
  // Creates the file that the second argument names.
  writeProgram(folder, 'pg_dump', `: >"\${2#--file=}"`);
  const PATH = `${folder.path}:${process.env.PATH}`;
  const env = { PATH, BACKUP_FOLDER: folder.path, DATABASE_URL: 'postgres://127.0.0.1/petstore' };
  for (const [status, kept] of [
    [1, []],
    [0, [expect.stringMatching(/^petstore-[^.]*\.dump$/), 'petstore.prom']],
  ] as const) {
    writeProgram(folder, 'pg_restore', `[ "$1" = --list ] || exit ${status}`); // --list reads no data.
    expect(spawnSync(BACK_UP, { env }).status).toBe(status);
    expect(globSync('petstore*', { cwd: folder.path }).toSorted()).toEqual(kept);
  }
});

// A password in the URL takes precedence over PGPASSWORD.
test.each([
  ['postgres://petstore:p%3A@ss@127.0.0.1/pets', 'other'],
  ['postgres://petstore@127.0.0.1/pets?target_session_attrs=any&sslmode=disable&password=p%3A@ss', 'other'],
  ['postgres://petstore@127.0.0.1/pets', 'p:@ss'],
])(
  'the backup script passes the password for %s in the environment, dumps no standby, hides the partial dump from other users, and removes it when a signal ends it',
  async (DATABASE_URL, PGPASSWORD) => {
    await using folder = await temporaryFolder();
    // The second argument names the file of the dump.
    const pgDump = `: >"\${2#--file=}"
      printf '%s\\n' "$PGTARGETSESSIONATTRS" "$PGPASSWORD" "$*" >"$BACKUP_FOLDER/call"
      exec sleep 60`;
    writeProgram(folder, 'pg_dump', pgDump);
    const PATH = `${folder.path}:${process.env.PATH}`;
    const env = { PATH, BACKUP_FOLDER: folder.path, DATABASE_URL, PGPASSWORD };
    // The script gets its own process group, because systemd sends a signal to all processes of a service.
    const child = spawn(BACK_UP, { detached: true, stdio: 'ignore', env });
    const call = /^primary\np:@ss\n(?!.*(@ss|=any)).*--dbname=postgres:\/\/petstore@127.0.0.1\/pets/;
    await expect.poll(() => readFileSync(folder.file('call'), 'utf8')).toMatch(call);
    expect(globSync(folder.file('*.partial')).map(modeOf)).toEqual([0o600]);
    process.kill(-Number(child.pid), 'SIGTERM');
    await once(child, 'close');
    expect(globSync('{*,.*}', { cwd: folder.path }).toSorted()).toEqual(['call', 'pg_dump']);
  },
);

const manual = readText('../docs/upgrade.md');

/** Returns the code block of the manual that contains a text. */
const blockWith = (text: string): string =>
  codeBlocks(manual, 'sh').find(({ code }) => code.includes(text))?.code ?? expect.fail('no block');

test.each(['petstore restore', 'switch.sql'])(
  'in the block of the manual with %s, each command runs only if the one before it has succeeded',
  (text) => {
    const code = blockWith(text);
    // A line that begins with a blank goes on with the command of the line before.
    const commands = code.trimEnd().split(/\n(?! )/);
    for (const command of commands.slice(0, -1)) expect(command).toMatch(/ &&$/);
    // A pipe succeeds with its last command, and `$(…)` may fail unnoticed outside of a plain assignment.
    expect(code).not.toMatch(/\||(?<!^\w+=)\$\(/m);
  },
);

test('the shell functions that compose.yaml proposes run each command of the manual in a container', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('petstore.dump'), '');
  symlinkSync(FOLDER, folder.file('deploy'));
  const functions = readText('compose.yaml').match(/(?<=^ {2}# {3})(\w+\(\) .*|for .*)$/gm) ?? [];
  const commands = ['docker() { echo "$*" >>log; }', ...functions, blockWith('switch.sql')].join('\n');
  // Without --norc, bash reads ~/.bashrc, because its input is a socket. With this PATH it finds no program.
  spawnSync('bash', ['--norc', '-c', `PATH=/none\n${commands}`], { cwd: folder.path });
  const call = /^compose -f deploy\/compose.yaml (?:exec -T database (\w+).*|run --rm -T -e.* (migrate))$/gm;
  const log = readFileSync(folder.file('log'), 'utf8').replaceAll(call, '$1$2');
  expect(log).toBe('dropdb\ncreatedb\npg_restore\nmigrate\npg_dump\npg_dump\npsql\npsql\n');
});
