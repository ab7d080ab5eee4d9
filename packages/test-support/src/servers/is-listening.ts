import { connect } from 'node:net';

/** Whether a process accepts connections on a port of loopback. */
export function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
