import { junit, type TestEvent } from 'node:test/reporters';
import { ConformanceError, oneLine, type Replay } from './conformance-error.ts';

interface Failure {
  title: string;
  /** One line: the expected and the actual response. */
  message: string;
  /** The part of the message that all failures of one cause share. */
  finding: string;
  /** Empty if no single request shows the failure. */
  replay: Partial<Replay>;
}

export class Outcome {
  passed = 0;
  notRun = 0;
  readonly failures: Failure[] = [];

  note({ type, data }: TestEvent): void {
    if (type === 'test:pass' && data.skip === undefined) this.passed += 1;
    else if (type === 'test:pass') this.notRun += 1;
    else if (type === 'test:fail') this.failures.push(failureOf(data.name, data.details.error));
  }

  get findings(): Map<string, Failure[]> {
    return Map.groupBy(this.failures, ({ finding }) => finding);
  }

  /** As in `32 passed, 3 failed (1 finding), 4 not run`. */
  toString(): string {
    const { size } = this.findings;
    const findings = size === 0 ? '' : ` (${size} ${size === 1 ? 'finding' : 'findings'})`;
    const notRun = this.notRun === 0 ? '' : `, ${this.notRun} not run`;
    return `${this.passed} passed, ${this.failures.length} failed${findings}${notRun}`;
  }
}

/** node:test wraps the error of a check, and has an error of its own for a timeout. */
function failureOf(title: string, { message, cause }: Error): Failure {
  if (cause instanceof ConformanceError) return { title, ...cause, message: cause.message };
  return { title, message: oneLine(message), finding: oneLine(message), replay: {} };
}

export type Events = AsyncGenerator<TestEvent, void>;

type Reporter = (events: Events, outcome: Outcome) => AsyncGenerator<string, void>;

/** Prints a line for each passed check and a paragraph for each failed one, then the failures by cause. */
async function* lines(events: Events, outcome: Outcome): AsyncGenerator<string, void> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.skip === undefined) yield `ok   ${data.name}\n`;
    if (type !== 'test:fail') continue;
    const { title, message, replay } = failureOf(data.name, data.details.error);
    yield paragraph(`FAIL ${title}: ${message}`, replay.curl, requestIdOf(replay));
  }
  for (const finding of outcome.findings.values()) yield `\n${describeFinding(finding)}`;
  yield `${outcome.failures.length > 0 ? '\n' : ''}${outcome}\n`;
}

/** Adds an annotation of GitHub Actions for each finding. GitHub shows ten for a step. */
async function* github(events: Events, outcome: Outcome): AsyncGenerator<string, void> {
  yield* lines(events, outcome);
  for (const [finding, failures] of outcome.findings) {
    // A property ends at a comma or a colon, and a message at a line break.
    const title = escapeData(finding).replaceAll(':', '%3A').replaceAll(',', '%2C');
    yield `::error title=${title}::${escapeData(describeFinding(failures).trimEnd())}\n`;
  }
}

const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\n', '%0A');

export const reporters = { lines, github, junit } satisfies Record<string, Reporter>;

/** A paragraph with the cause, a request, its response, and the checks that failed. */
function describeFinding(failures: Failure[]): string {
  const [{ finding = '', replay = {} } = {}] = failures;
  const count = failures.length === 1 ? '1 check' : `${failures.length} checks`;
  const titles = failures.map(({ title }) => `- ${title}`);
  return paragraph(
    `Finding: ${finding} (${count})`,
    replay.curl,
    replay.received,
    requestIdOf(replay),
    ...titles,
  );
}

const requestIdOf = ({ requestId }: Partial<Replay>) => requestId && `request id ${requestId}`;

const paragraph = (...lines: (string | undefined)[]): string =>
  `${lines.filter((line) => line !== undefined).join('\n     ')}\n`;
