import { findingsOf } from '../run/findings.ts';
import type { Result } from '../run/run.ts';
import { describeFinding, lines } from './lines.ts';

/** What `lines` prints, and for each finding an annotation of GitHub Actions, which shows ten of a step. */
export async function* github(results: AsyncIterable<Result>): AsyncGenerator<string> {
  const all: Result[] = [];
  async function* collected() {
    for await (const result of results) {
      all.push(result);
      yield result;
    }
  }
  yield* lines(collected());
  for (const finding of findingsOf(all)) {
    // A property ends at a comma or a colon, and a message at a line break.
    const title = escapeData(finding.cause).replaceAll(':', '%3A').replaceAll(',', '%2C');
    yield `::error title=${title}::${escapeData(describeFinding(finding))}`;
  }
}

const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
