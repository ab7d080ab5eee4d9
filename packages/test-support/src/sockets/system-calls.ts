import { getSystemErrorName } from 'node:util';
import koffi from 'koffi';

/** Whether this system has the system calls below with these constants, which are those of Linux. */
export const hasSystemCalls = process.platform === 'linux';

// From sys/socket.h of Linux.
export const AF_INET = 2;
export const SOCK_STREAM = 1;

/** The C library that Node itself is linked with. */
const library = koffi.load(null);
export const socket = library.func('int socket(int domain, int type, int protocol)');
export const setsockopt = library.func(
  'int setsockopt(int fd, int level, int name, const void *value, uint32_t length)',
);
export const bind = library.func('int bind(int fd, const void *address, uint32_t length)');
export const listen = library.func('int listen(int fd, int backlog)');
export const connect = library.func('int connect(int fd, const void *address, uint32_t length)');
export const close = library.func('int close(int fd)');

/** @throws Error when a system call failed */
export function checked(name: string, result: number): number {
  if (result >= 0) return result;
  throw new Error(`${name}: ${getSystemErrorName(-koffi.errno())}`);
}

/** A `struct sockaddr_in`. */
export function ipv4(host: string, port: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(AF_INET, 0);
  bytes.writeUInt16BE(port, 2);
  bytes.set(host.split('.').map(Number), 4);
  return bytes;
}
