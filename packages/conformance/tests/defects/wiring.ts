/** A way in which a deployment can be wrong that shows on the wire alone. */
export interface WireDefect {
  defect: string;
  /** The name of the check that must find it. */
  foundBy: string;
  /** What the service takes the request for. */
  reads?(request: string): string;
  /** What it answers. */
  writes?(answer: string, request: string): string;
}

export const wiring: WireDefect[] = [
  {
    defect: 'the second answer before the first',
    foundBy: 'Requests that come before the answers to those before them are answered in their order',
    writes: (answer) => {
      const [first = '', second = '', ...others] = answer.split(/(?=HTTP\/1\.1 \d)/);
      return [second, first, ...others].join('');
    },
  },
  {
    defect: 'what comes before an answer is thrown away',
    foundBy: 'Requests that come before the answers to those before them are answered in their order',
    reads: (request) => {
      const [first = '', ...others] = request.split('\r\n\r\n');
      const isPipelined = others.length > 1 && others[1] !== '';
      return isPipelined ? `${first}\r\nConnection: close\r\n\r\n` : request;
    },
  },
  {
    defect: 'a request target in absolute form taken for a path',
    foundBy: 'A request target in absolute form is understood',
    reads: (request) => request.replace(/^GET http:\/\//, 'GET /http/'),
  },
  {
    defect: 'an answer to HEAD with a body',
    foundBy: 'An answer to HEAD ends with its header fields',
    writes: (answer, request) => (request.startsWith('HEAD') ? `${answer}[]` : answer),
  },
  {
    defect: 'spaces around an idempotency key taken as part of it',
    foundBy: 'Spaces and tabs around an Idempotency-Key do not belong to it',
    reads: (request) => request.replace(/(idempotency-key: )[ \t]+(\S+)/i, '$1spaced-$2'),
  },
  {
    defect: '400 for spaces around an idempotency key',
    foundBy: 'Spaces and tabs around an Idempotency-Key do not belong to it',
    reads: (request) => request.replace(/(idempotency-key: )[ \t]+(\S+)/i, '$1two words $2'),
  },
];
