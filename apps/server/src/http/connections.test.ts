import { once } from 'node:events';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { Connections } from './connections.ts';
import { limits } from './limits.ts';
import { OverloadLog } from './overload-log.ts';

test('beyond the limit of outstanding bytes, the connection with the most is cut, and the others pause for a turn', async () => {
  const overloadLog = new OverloadLog(pino({ level: 'silent' }));
  const connections = new Connections(overloadLog, 3);
  const [first, largest, last] = [new Socket(), new Socket(), new Socket()];
  for (const socket of [first, largest, last]) connections.open(socket);
  const hold = (socket: Socket, bytes: number) =>
    connections.account(connections.findOpen(socket) ?? expect.fail(), bytes);
  hold(first, 10);
  hold(last, 1);
  hold(largest, limits.outstandingBytes - 11);
  expect(overloadLog.cutCount).toBe(0);
  hold(first, 100);
  expect([first, largest, last].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  // No request has begun, so all three were idle. The cut one is no longer counted.
  expect({ cut: overloadLog.cutCount, idle: connections.idle.size }).toEqual({ cut: 1, idle: 2 });
  expect(connections.outstandingBytes, 'first and last').toBe(110 + 1);
  expect([first, last].map((socket) => socket.isPaused())).toEqual([true, true]);
  await nextTurn();
  expect([first, last].map((socket) => socket.isPaused())).toEqual([false, false]);
});

test('at the maximum, a new connection is closed if no other is idle, and a connection that was ended leaves no timer', async () => {
  const connections = new Connections(new OverloadLog(pino({ level: 'silent' })), 1);
  const [busy, further] = [new Socket(), new Socket()];
  connections.open(busy);
  connections.idle.clear();
  connections.open(further);
  expect([busy.destroyed, further.destroyed, connections.openCount]).toEqual([false, true, 1]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  connections.findOpen(busy)?.end();
  expect(vi.getTimerCount()).toBe(1);
  await once(busy.destroy(), 'close');
  expect(vi.getTimerCount()).toBe(0);
});
