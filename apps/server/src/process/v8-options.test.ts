import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTIONS } from './v8-options.ts';

test('the unit of systemd gives the options itself, because the process does not replace itself there', () => {
  const unit = new URL('../../../../deploy/systemd/petstore.service', import.meta.url);
  expect(readFileSync(unit, 'utf8')).toContain(`ExecStart=/usr/bin/node ${OPTIONS.join(' ')} /`);
});
