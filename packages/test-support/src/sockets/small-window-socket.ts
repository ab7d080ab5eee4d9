import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { AF_INET, checked, close, connect, ipv4, SOCK_STREAM, setsockopt, socket } from './system-calls.ts';

/**
 * Opens a connection over which the server can hand over few bytes before it has to wait for the reader.
 *
 * On loopback a segment has 64 KiB and the kernel grows its buffers to megabytes: a server whose client
 * does not read can write 4 MB before it notices. With a small maximum segment size and a small receive
 * buffer it notices after 30 kB, as it does with a hostile client on the internet, and a test can see
 * whether the server bounds what it holds. Both must be set before the connection exists. Node cannot do
 * that, hence the system calls.
 *
 * @param options.maxSegmentBytes TCP_MAXSEG: at least 88
 * @param options.receiveBufferBytes SO_RCVBUF: Linux doubles it
 * @param options.readable false for a client that never reads: Node fills a buffer of its own otherwise,
 *   even while the socket is paused. Such a socket does not notice that the server closes the connection.
 * @returns the connected socket, with small windows in both cases; errors on it are ignored
 * @example A client that sends requests and does not read the responses
 * const socket = await openSmallWindowSocket(server.origin, { readable: false });
 * socket.write(request.repeat(64));
 * // … look at the server …
 * socket.destroy();
 */
export async function openSmallWindowSocket(
  origin: string,
  { maxSegmentBytes = 536, receiveBufferBytes = 2_048, readable = true } = {},
): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const fd = connectWith(
    [
      [IPPROTO_TCP, TCP_MAXSEG, int32(maxSegmentBytes)],
      [SOL_SOCKET, SO_RCVBUF, int32(receiveBufferBytes)],
      [SOL_SOCKET, SO_SNDTIMEO, CONNECT_TIMEOUT],
    ],
    ipv4(hostname, Number(port)),
  );
  const socket = new Socket({ fd, readable, writable: true });
  socket.on('error', () => {});
  // A server in this process accepts the connection now. Many at once would fill its backlog.
  await setImmediate();
  return socket;
}

type SocketOption = [level: number, name: number, value: Buffer];

// From sys/socket.h, netinet/in.h and netinet/tcp.h of Linux.
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_SNDTIMEO = 21;
const IPPROTO_TCP = 6;
const TCP_MAXSEG = 2;

/** A `struct timeval` of five seconds: `connect` blocks this process, and must not do so for ever. */
const CONNECT_TIMEOUT = Buffer.from(new BigInt64Array([5n, 0n]).buffer);

/** @returns the file descriptor of a connected socket that has the options */
function connectWith(options: readonly SocketOption[], address: Buffer): number {
  const fd = checked('socket', socket(AF_INET, SOCK_STREAM, 0));
  try {
    for (const [level, name, value] of options) {
      checked('setsockopt', setsockopt(fd, level, name, value, value.length));
    }
    checked('connect', connect(fd, address, address.length));
    return fd;
  } catch (error) {
    close(fd);
    throw error;
  }
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
