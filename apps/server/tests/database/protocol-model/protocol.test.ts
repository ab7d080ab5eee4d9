import { expect, test } from 'vitest';
import { explore } from './explore.ts';
import { protocol } from './protocol.ts';
import { design, type Rules, type Scenario } from './world.ts';

const scenarios = {
  'a crash, a stall, a lost connection or a failover': {
    tasks: [
      [{ create: 'a', key: 'k' }, 'read'],
      [{ create: 'b', key: 'k' }, 'read'],
      [{ create: 'c' }, 'read'],
    ],
    faults: 1,
  },
  'more creations than the servers have ids at hand': {
    tasks: [[{ create: 'a' }, { create: 'b' }], [{ create: 'c' }], ['read', 'read']],
  },
  'a failover between reads': {
    tasks: [[{ create: 'a' }, 'read'], [{ create: 'b' }], ['read', 'read', 'read']],
    faults: 1,
  },
  'the removal of a pet': {
    tasks: [
      [{ create: 'a', key: 'k' }, 'read'],
      [{ create: 'b' }, { create: 'c', key: 'k' }],
      ['read', 'read'],
    ],
    removes: true,
  },
} satisfies Record<string, Scenario>;

test.each(Object.entries(scenarios))('the design keeps every promise with %s', (_, scenario) => {
  expect(explore(protocol(design, scenario)).violation).toBeUndefined();
});

// The scenario that needs each rule, and what goes wrong without it.
test.each<[keyof Rules, keyof typeof scenarios, RegExp]>([
  ['takesLock', 'more creations than the servers have ids at hand', /never sees/],
  ['holdsLockToCommit', 'more creations than the servers have ids at hand', /never sees/],
  ['looksUnderLock', 'the removal of a pet', /used again|which is gone/],
  ['idsFollowHighest', 'more creations than the servers have ids at hand', /never sees/],
  ['idsFollowSequence', 'the removal of a pet', /used again/],
  ['recordsWithPet', 'a crash, a stall, a lost connection or a failover', /added twice/],
  ['repeatsOnlyKeyed', 'a crash, a stall, a lost connection or a failover', /added twice/],
  ['removalFreesKey', 'the removal of a pet', /which is gone/],
  ['refusesToGoBack', 'a failover between reads', /went back/],
])('without the rule %s something goes wrong with %s', (rule, scenario, message) => {
  const { violation } = explore(protocol({ ...design, [rule]: false }, scenarios[scenario]));
  expect(violation?.message).toMatch(message);
});
