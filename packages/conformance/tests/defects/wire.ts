/** A way in which a deployment can be wrong that shows only on the wire. */
export interface WireDefect {
  defect: string;
  /** The name of the check that must find it. */
  foundBy: string;
  /** What the service reads the request as. */
  reads?(request: string): string;
  /** What the service writes in place of the response. */
  writes?(response: string, request: string): string;
}

export const wireDefects: WireDefect[] = [
  {
    defect: 'the second response before the first',
    foundBy: 'Pipelined requests get their responses in order',
    writes: (response) => {
      const [first = '', second = '', ...others] = response.split(/(?=HTTP\/1\.1 \d)/);
      return [second, first, ...others].join('');
    },
  },
  {
    defect: 'requests discarded that come before a response',
    foundBy: 'Pipelined requests get their responses in order',
    reads: (request) => {
      const [first = '', ...others] = request.split('\r\n\r\n');
      const isPipelined = others.length > 1 && others[1] !== '';
      return isPipelined ? `${first}\r\nConnection: close\r\n\r\n` : request;
    },
  },
  {
    defect: 'a request target in absolute form taken for a path',
    foundBy: 'A request target may be in absolute form',
    reads: (request) => request.replace(/^GET http:\/\//, 'GET /http/'),
  },
  {
    defect: 'a response to HEAD with a body',
    foundBy: 'A response to HEAD ends after its headers',
    writes: (response, request) => (request.startsWith('HEAD') ? `${response}[]` : response),
  },
  {
    defect: 'spaces around an idempotency key taken as part of it',
    foundBy: 'An Idempotency-Key does not include the spaces and tabs around it',
    reads: (request) => request.replace(/(idempotency-key: )[ \t]+(\S+)/i, '$1spaced-$2'),
  },
  {
    defect: '400 for spaces around an idempotency key',
    foundBy: 'An Idempotency-Key does not include the spaces and tabs around it',
    reads: (request) => request.replace(/(idempotency-key: )[ \t]+(\S+)/i, '$1two words $2'),
  },
];
