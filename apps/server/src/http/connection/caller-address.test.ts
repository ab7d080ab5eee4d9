import { expect, test } from 'vitest';
import { createCallerAddress } from './caller-address.ts';

const list = (value: string) => ({ 'x-forwarded-for': value });
const PROXY = '10.0.0.1';

test.each([
  ['the address of the connection', PROXY, {}, PROXY],
  ['what a trusted proxy has added', PROXY, list('192.0.2.7'), '192.0.2.7'],
  ['what the proxy has added, not what the caller has sent', PROXY, list('1.1.1.1, 192.0.2.7'), '192.0.2.7'],
  [
    'the first address before several trusted proxies',
    PROXY,
    list('1.1.1.1,192.0.2.7, 10.9.9.9,::1'),
    '192.0.2.7',
  ],
  ['the leftmost one when all are trusted', PROXY, list('10.0.0.3, 10.0.0.2'), '10.0.0.3'],
  ['the last good one before nonsense', PROXY, list('192.0.2.7, nonsense, 10.0.0.2'), '10.0.0.2'],
  ['an IPv6 address with brackets and port', PROXY, list('[2001:db8::1]:4711'), '2001:db8::1'],
  ['an IPv4 address with a port', PROXY, list('192.0.2.7:4711'), '192.0.2.7'],
  ['an IPv4 address in IPv6 notation', '::ffff:10.0.0.1', list('::ffff:192.0.2.7'), '192.0.2.7'],
  [
    'that of Forwarded',
    PROXY,
    { forwarded: 'for=1.1.1.1, proto=https;For="[2001:db8::1]:80"' },
    '2001:db8::1',
  ],
  ['the address of the proxy when Forwarded hides the caller', PROXY, { forwarded: 'for=_hidden' }, PROXY],
  ['the connection when it is not a proxy that is trusted', '192.0.2.1', list('1.1.1.1'), '192.0.2.1'],
])('the caller address is %s', (_what, remoteAddress, headers, expected) => {
  const findCallerAddress = createCallerAddress(['10.0.0.0/8', '::1']);
  expect(findCallerAddress(remoteAddress, headers)).toBe(expected);
});

test('without trusted proxies the headers are left out of account', () => {
  const findCallerAddress = createCallerAddress([]);
  expect(findCallerAddress('127.0.0.1', list('1.1.1.1'))).toBe('127.0.0.1');
  expect(findCallerAddress(undefined, list('1.1.1.1'))).toBeUndefined();
});
