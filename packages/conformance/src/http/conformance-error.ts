/** The request that shows a failure, and its response. */
export interface Replay {
  /** A shell command that sends the request again. A variable stands for the API key. */
  curl: string;
  /** One line: status and body of the response, or why there is none. */
  received: string;
  /** The `X-Request-Id` of the response. */
  requestId?: string | undefined;
}

/** A deployment breaks the contract. The message says what was expected, what came, and what was sent. */
export class ConformanceError extends Error {
  override name = 'ConformanceError';
  /** The first line of the message, without the `curl` command. */
  readonly summary: string;
  /** The part of the summary that all failures of one cause share. */
  readonly finding: string;
  readonly replay: Replay;

  constructor(summary: string, finding: string, replay: Replay, options?: ErrorOptions) {
    super(`${oneLine(summary)}\n${replay.curl}`, options);
    this.summary = oneLine(summary);
    this.finding = oneLine(finding);
    this.replay = replay;
  }
}

/** A request got no response: the connection failed, was cut, or took too long. */
export class NoResponseError extends ConformanceError {
  override name = 'NoResponseError';
}

/**
 * Returns the text as one line. Control characters would reach the terminal. XML (JUnit) excludes most of them, lone
 * surrogates, U+FFFE and U+FFFF. Pipelines run `##[group]` (GitHub) and `##vso[task.…]` (Azure) anywhere in a line.
 */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]+/gu, ' ')
    .replaceAll(/##(?=\w*\[)/g, '## ');

/** The most characters of a body, or of another text of the deployment, that a report shows. */
const MAX_SHOWN = 300;

export const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
