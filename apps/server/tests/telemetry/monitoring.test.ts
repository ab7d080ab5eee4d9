import { globSync, readFileSync } from 'node:fs';
import { type Engine, engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { z } from 'zod';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const RULES = read('deploy/monitoring/petstore.rules.yml');
const RULE_TESTS = read('deploy/monitoring/petstore.rules.test.yml');
const DASHBOARD = read('deploy/monitoring/grafana/petstore.json');
const BACKUP = read('deploy/backup/backup.sh');
const INCIDENTS = read('docs/incidents.md');

const Panel = z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) });

const Dashboard = z.object({ panels: z.array(Panel) });

/** The names of metrics in expressions, without the suffixes of a histogram. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(?:petstore|http_server|process)_\w+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))];
}

/** The names of the metrics of a server. */
async function metricsOver(engine: Engine): Promise<string[]> {
  await using database = await temporaryDatabase(engine);
  await using server = await startServer({ ADMIN_PORT: '0', DATABASE_URL: database.url });
  await expect.poll(server.output).toContain('"admin":');
  const admin = /"admin":"([^"]+)"/.exec(server.output())?.[1];
  const text = await (await fetch(`${admin}/metrics`)).text();
  return namesIn(text, /^# TYPE (\w+)/gm);
}

const namesIn = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].sort();

test('alert rules use only metrics that exist, and the dashboard shows every metric of the server', async () => {
  const expressions = Dashboard.parse(JSON.parse(DASHBOARD)).panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr),
  );
  const metrics = [...new Set((await Promise.all(engines.map(metricsOver))).flat())].sort();
  // The backup script writes this metric. The server does not have it.
  const backupMetrics = metricsIn(BACKUP);
  expect(backupMetrics).toHaveLength(1);
  expect([...metrics, ...backupMetrics]).toEqual(expect.arrayContaining(metricsIn(RULES)));
  expect(metricsIn(expressions.join(' ')).sort()).toEqual(metrics);
});

test('alerts on requests count only operations, not probes or unknown paths', () => {
  const selectors = Array.from(
    RULES.matchAll(/http_server_request_duration_seconds_\w+\{(.*?)\}/g),
    ([, text]) => text,
  );
  expect(selectors.length).toBeGreaterThan(2);
  for (const selector of selectors) expect(selector).toContain('http_route=~"/v.*"');
});

test('every alert has a test that raises it, and links to its section in docs/incidents.md', () => {
  const alerts = namesIn(RULES, /- alert: (\w+)/g);
  const raised = namesIn(RULE_TESTS, /alertname: (\w+)\n\s+exp_alerts:/g);
  expect(raised).toEqual(alerts);
  expect(namesIn(INCIDENTS, /^### (Petstore\w+)$/gm)).toEqual(alerts);
  const links = Array.from(
    RULES.matchAll(/runbook_url: .*\/docs\/incidents\.md#(\w+)$/gm),
    ([, anchor]) => anchor,
  );
  expect(links).toEqual(Array.from(RULES.matchAll(/- alert: (\w+)/g), ([, name = '']) => name.toLowerCase()));
});

test('docs/incidents.md says what to do for each log message above level info', () => {
  const sources = globSync('apps/server/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const [, section = ''] = INCIDENTS.split('## Log lines');
  const logged = namesIn(sources, /logger\.(?:warn|error|fatal)\(\s*(?:\{[^}]*\},\s*)?'([^']+)'/g);
  expect(logged.length).toBeGreaterThan(5);
  expect(namesIn(section.split('\n## ')[0] ?? '', /^\| `([A-Z][^`]+)` \|/gm)).toEqual(logged);
});
