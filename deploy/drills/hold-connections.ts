/**
 * Opens connections, sends the beginning of a creation over each, and then nothing, until it is killed:
 *
 *   node deploy/drills/hold-connections.ts --port 3000 --key pst_… --connections 100 --bytes 0
 *
 * `--bytes` is how much of the body is sent. A connection that the server closes is opened again.
 */
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    key: { type: 'string' },
    connections: { type: 'string', default: '100' },
    bytes: { type: 'string', default: '0' },
  },
});
const fields = [
  'POST /v1/pets HTTP/1.1',
  'Host: petstore',
  `Authorization: Bearer ${values.key}`,
  'Content-Type: application/json',
  'Content-Length: 65536',
];
const beginning = `${fields.join('\r\n')}\r\n\r\n${' '.repeat(Number(values.bytes))}`;

function hold(): void {
  const socket = connect({ host: '127.0.0.1', port: Number(values.port) });
  socket.on('connect', () => socket.write(beginning)).resume();
  // A reset is what a held connection is to expect.
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(hold, 100));
}

for (let number = 0; number < Number(values.connections); number += 1) hold();
