/**
 * Node's HTTP module. An `import` of it would load all that it exports, with Node's fetch and HTTP/2. That takes 40 ms
 * of processor time, a fifth of a start (medians of five).
 */
export const { createServer, get, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');
