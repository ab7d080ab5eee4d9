import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldMemory } from './connections.ts';

const SMALLEST = 4 * 1024;

test('what is found holds at least half of what any other holds, whatever was taken and given back', () => {
  const holder = fc.nat({ max: 20 });
  const bytes = fc.oneof(fc.nat({ max: 20_000 }), fc.nat({ max: 40_000_000 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(holder, bytes)), (changes) => {
      const memory = new HeldMemory<number>();
      const held = new Map<number, number>();
      for (const [name, to] of changes) {
        memory.move(name, { from: held.get(name) ?? 0, to });
        held.set(name, to);
      }
      const most = Math.max(0, ...held.values());
      const found = memory.findLargest();
      expect(memory.bytes).toBe([...held.values()].reduce((sum, of) => sum + of, 0));
      if (most >= SMALLEST) expect((held.get(found ?? -1) ?? 0) * 2).toBeGreaterThan(most);
      else expect(found).toBeUndefined();
    }),
  );
});
