import { readFileSync } from 'node:fs';
import { type Engine, engines } from '@petstore/test-support/databases/databases';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '#support/app';
import { ServiceMetrics } from '../../src/service/metrics.ts';

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
  const metrics = new ServiceMetrics();
  await using app = await startApp({}, { engine, observer: metrics });
  metrics.watch(app.service, { droppedCount: 0 });
  return namesIn(await metrics.registry.metrics(), /^# TYPE (\w+)/gm);
}

const namesIn = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].sort();

test.runIf(engines.length === 2)(
  'alert rules use only metrics that exist, and the dashboard shows every metric of the server',
  async () => {
    const expressions = Dashboard.parse(JSON.parse(DASHBOARD)).panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr),
    );
    const metrics = [...new Set((await Promise.all(engines.map(metricsOver))).flat())].sort();
    // The backup script writes this metric. The server does not have it.
    const backupMetrics = metricsIn(BACKUP);
    expect(backupMetrics).toHaveLength(1);
    expect([...metrics, ...backupMetrics]).toEqual(expect.arrayContaining(metricsIn(RULES)));
    expect(metricsIn(expressions.join(' ')).sort()).toEqual(metrics);
  },
);

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
