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
  'rows that others load': {
    tasks: [[{ create: 'a' }], [{ create: 'b' }], ['read', 'read', 'read']],
    loads: true,
    faults: 1,
  },
  'changes by an operator': {
    tasks: [
      [{ create: 'a' }, 'read'],
      ['read', 'read', 'read'],
      ['read', 'read'],
    ],
    changes: true,
    faults: 1,
  },
  'a backup that is restored': {
    tasks: [
      [{ create: 'a' }, { create: 'b' }],
      ['read', 'read'],
      ['read', 'read'],
    ],
    restores: true,
    faults: 1,
  },
} satisfies Record<string, Scenario>;

test.each(Object.entries(scenarios))('the design keeps every promise with %s', (_, scenario) => {
  expect(explore(protocol(design, scenario)).violation?.steps).toBeUndefined();
});

// The scenario that needs each rule, and what goes wrong without it.
test.each<[keyof Rules, keyof typeof scenarios, RegExp]>([
  ['takesLock', 'rows that others load', /never sees/],
  ['holdsLockToCommit', 'rows that others load', /never sees/],
  ['looksUnderLock', 'rows that others load', /never sees/],
  ['idsFollowHighest', 'more creations than the servers have ids at hand', /never sees/],
  ['keysAreUnique', 'a crash, a stall, a lost connection or a failover', /added twice/],
  ['recordsWithPet', 'a crash, a stall, a lost connection or a failover', /added twice/],
  ['repeatsOnlyKeyed', 'rows that others load', /added twice/],
  ['loadsTakeTurns', 'rows that others load', /never sees/],
  ['changesMoveRevision', 'changes by an operator', /cached page/],
  ['revisionIsTransactional', 'changes by an operator', /cached page/],
  ['versionHasHighest', 'rows that others load', /cached page/],
  ['versionHasHistory', 'a backup that is restored', /cached page/],
  ['versionWithRows', 'changes by an operator', /cached page/],
  ['refusesToGoBack', 'rows that others load', /went back/],
])('without the rule %s something goes wrong with %s', (rule, scenario, message) => {
  const { violation } = explore(protocol({ ...design, [rule]: false }, scenarios[scenario]));
  expect(violation?.message).toMatch(message);
});
