import { type Answer, expect, expectStatus, jsonOf } from '../answer.ts';
import type { Check } from '../check.ts';
import { membersOf } from '../members.ts';
import { send } from '../send.ts';
import { addressBeside, type Target } from '../target.ts';

async function fetchDescription(target: Target): Promise<{ answer: Answer; document: unknown }> {
  const answer = await send(target, 'GET', addressBeside(target, '/openapi.json'), { authorization: null });
  expectStatus(answer, 200);
  return { answer, document: jsonOf(answer) };
}

/** What stands at a path of names in a JSON value. */
function at(value: unknown, ...names: string[]): unknown {
  return names.reduce((inner, name) => membersOf(inner)[name], value);
}

export const description: Check[] = [
  {
    name: '/openapi.json beside the version prefix answers without a key',
    cites: 'decision: beside the interface',
    readOnly: true,
    run: async (target) => {
      await fetchDescription(target);
    },
  },
  {
    name: '/openapi.json beside the version prefix has version 1.0.0',
    cites: 'interface: Versioning',
    readOnly: true,
    run: async (target) => {
      const { answer, document } = await fetchDescription(target);
      expect(answer, at(document, 'info', 'version') === '1.0.0', 'info.version 1.0.0');
    },
  },
  {
    name: '/openapi.json beside the version prefix has the three operations, only getPet deprecated',
    cites: 'interface: getPet (deprecated); decision: store orders',
    readOnly: true,
    run: async (target) => {
      const { answer, document } = await fetchDescription(target);
      const operations = Object.entries(membersOf(at(document, 'paths'))).flatMap(([path, item]) =>
        Object.keys(membersOf(item)).map((method) => {
          const mark = at(item, method, 'deprecated') === true ? ' deprecated' : '';
          return `${method} ${path.replace(/^\/v1(?=\/)/, '')}${mark}`;
        }),
      );
      const expected = ['get /pets', 'get /pets/{petId} deprecated', 'post /pets'];
      expect(
        answer,
        operations.toSorted().join() === expected.join(),
        `${expected} rather than ${operations}`,
      );
    },
  },
  {
    name: '/openapi.json beside the version prefix marks no operation as experimental or beta',
    cites: 'decision: stability marking',
    readOnly: true,
    run: async (target) => {
      const { answer } = await fetchDescription(target);
      expect(answer, !answer.text.includes('"x-stability"'), 'no x-stability');
    },
  },
];
