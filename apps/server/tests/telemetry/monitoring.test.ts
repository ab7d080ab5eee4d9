import { readFileSync } from 'node:fs';
import { engines } from '@petstore/test-support/databases/databases';
import { register } from '@prometheus-io/client';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { ServiceMetrics } from '../../src/service/metrics.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

const RULES = read('deploy/monitoring/petstore.rules.yml');
const RULE_TESTS = read('deploy/monitoring/petstore.rules.test.yml');

/** @returns each text that the group of a pattern matches, once and sorted */
const namesIn = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].sort();

/** The names of metrics in expressions, without the suffixes of a histogram. */
const metricsIn = (text: string) =>
  namesIn(text, /\b((?:petstore|http_server|process)_\w+?)(?:_bucket|_sum|_count)?\b/g);

test.runIf(engines.length === 2)(
  'alert rules use only metrics that exist, and the dashboard shows every metric of the server',
  async () => {
    let scraped = '';
    for (const engine of engines) {
      register.clear();
      const observer = new ServiceMetrics();
      await using app = await startApp({}, { engine, observer });
      observer.watch(app.service, { droppedCount: 0 });
      scraped += await register.metrics();
    }
    const metrics = namesIn(scraped, /^# TYPE (\w+)/gm);
    // The backup script writes this metric. The server does not have it.
    const backupMetrics = metricsIn(read('deploy/backup/backup.sh'));
    expect(backupMetrics).toHaveLength(1);
    expect([...metrics, ...backupMetrics]).toEqual(expect.arrayContaining(metricsIn(RULES)));
    const expressions = read('deploy/monitoring/grafana/petstore.json').match(/"expr": .*/g) ?? [];
    expect(metricsIn(expressions.join('\n'))).toEqual(metrics);
  },
);

test('alerts on requests count only operations, not probes or unknown paths', () => {
  const selectors = namesIn(RULES, /http_server_request_duration_seconds_\w+\{(.*?)\}/g);
  expect(selectors).not.toEqual([]);
  for (const selector of selectors) expect(selector).toContain('http_route=~"/v.*"');
});

test('every alert has a test that raises it, and links to its section in docs/incidents.md', () => {
  const alerts = namesIn(RULES, /- alert: (\w+)/g);
  expect(namesIn(RULE_TESTS, /alertname: (\w+)\n\s+exp_alerts:\n\s+- /g)).toEqual(alerts);
  expect(namesIn(read('docs/incidents.md'), /^### (Petstore\w+)$/gm)).toEqual(alerts);
  for (const rule of RULES.split('- alert: ').slice(1)) {
    const [alert = ''] = rule.split('\n');
    expect(rule).toContain(`/docs/incidents.md#${alert.toLowerCase()}\n`);
  }
});
