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
  finding: string;
  replay: Replay;
}

/** A deployment breaks the contract. The message says what was expected and what came. */
export class ConformanceError extends Error {
  override name = 'ConformanceError';
  /** The part of the message that all failures of one cause share: without the values of this request. */
  readonly finding: string;
  readonly replay: Replay;

  constructor(message: string, { finding, replay, ...options }: Details) {
    super(oneLine(message), options);
    this.finding = oneLine(finding);
    this.replay = { ...replay, received: oneLine(replay.received) };
  }
}

/** A request got no response: the connection failed, was cut, or took too long. */
export class NoResponseError extends ConformanceError {
  override name = 'NoResponseError';
}

/** A text of the deployment as one line: a control character would reach the terminal, and breaks a JUnit document. */
export const oneLine = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]+/gu, ' ');
