import { expectStatus } from '../answer.ts';
import type { Check } from '../check.ts';
import { send } from '../send.ts';
import { addressBeside, type Target } from '../target.ts';

function sendBeside(target: Target, path: string) {
  return send(target, 'GET', addressBeside(target, path), { authorization: null, redirect: 'follow' });
}

export const probes: Check[] = [
  ...['/livez', '/readyz', '/docs'].map(
    (path): Check => ({
      name: `${path} beside the version prefix answers without a key`,
      cites: 'decision: beside the interface',
      readOnly: true,
      run: async (target) => expectStatus(await sendBeside(target, path), 200),
    }),
  ),
];
