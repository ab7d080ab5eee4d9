import type { Check } from '../check.ts';
import { expectStatus } from '../http/raw-response.ts';
import { send } from '../http/send.ts';
import { type Target, urlBeside } from '../target.ts';

function sendBeside(target: Target, path: string) {
  return send(target, 'GET', urlBeside(target, path), { authorization: null, redirect: 'follow' });
}

export const probes: Check[] = [
  ...['/livez', '/readyz', '/docs'].map(
    (path): Check => ({
      name: `${path} beside the version prefix needs no key`,
      cites: 'decision: beside the interface',
      readOnly: true,
      run: async (target) => expectStatus(await sendBeside(target, path), 200),
    }),
  ),
];
