import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The address of a caller: that of the connection, or what trusted proxies say of it. */
export type FindCallerAddress = (
  remoteAddress: string | undefined,
  headers: IncomingHttpHeaders,
) => string | undefined;

/**
 * Creates the function that finds the address of a caller. Each proxy adds the address that it was called from at the
 * right end of X-Forwarded-For or Forwarded (RFC 7239), so the rightmost address that is no trusted proxy is the last
 * one that can be believed: whatever stands to the left of it may have been made up by the caller.
 *
 * @param trustedProxies addresses and subnets, such as `10.0.0.0/8`; none leaves the headers out of account
 */
export function createCallerAddress(trustedProxies: readonly string[]): FindCallerAddress {
  const trusted = toBlockList(trustedProxies);
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (remoteAddress, headers) => {
    if (remoteAddress === undefined) return undefined;
    let address = withoutMapping(remoteAddress);
    if (trustedProxies.length === 0) return address;
    for (const forwarded of readForwarded(headers).reverse()) {
      if (!isTrusted(address)) return address;
      const next = toAddress(forwarded);
      if (next === undefined) return address;
      address = next;
    }
    return address;
  };
}

function toBlockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    const isV6 = isIP(address) === 6;
    list.addSubnet(address, Number(prefix ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The addresses that proxies have added, the first one leftmost. */
function readForwarded({ 'x-forwarded-for': list, forwarded }: IncomingHttpHeaders): string[] {
  if (list !== undefined) return String(list).split(',');
  return (forwarded ?? '')
    .split(',')
    .map((element) => /(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(element)?.[1] ?? '');
}

/** An address as proxies write it: with quotes, with brackets or with a port. */
function toAddress(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : withoutMapping(address);
}

/** An IPv4 address as such, also where the socket is one for both families. */
const withoutMapping = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
