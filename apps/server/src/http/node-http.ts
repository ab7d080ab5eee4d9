/** An `import` would also load Node's fetch and HTTP/2: 40 ms of processor time, a fifth of a start. */
export const { createServer, get, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');
