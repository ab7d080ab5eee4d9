/** The request that shows a failure, and what came. */
export interface Replay {
  /** A command for a shell that sends the request again, with the name of a variable in place of the API key. */
  curl: string;
  /** Status and body of the response; where none came, why. */
  received: string;
  /** The `X-Request-Id` of the response, under which a service logs the request. */
  requestId?: string | undefined;
}

interface Details extends ErrorOptions {
  /** @default the message */
  finding?: string;
  replay?: Replay | undefined;
}

/** A deployment breaks the contract. The message says what was expected and what came. */
export class ConformanceError extends Error {
  override name = 'ConformanceError';
  /** What failures of one cause have in common: what was expected, without the values of this request. */
  readonly finding: string;
  readonly replay: Replay | undefined;

  constructor(message: string, { finding = message, replay, ...options }: Details = {}) {
    super(message, options);
    this.finding = finding;
    this.replay = replay;
  }
}

/** A request got no response: the connection failed, was cut, or took too long. */
export class NoResponseError extends ConformanceError {
  override name = 'NoResponseError';
}
