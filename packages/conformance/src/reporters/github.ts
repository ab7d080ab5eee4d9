import type { Result } from '../run/run.ts';
import { lineOf, lines } from './lines.ts';

/** What `lines` prints, and for each failure an annotation of GitHub Actions. */
export async function* github(results: AsyncIterable<Result>): AsyncGenerator<string> {
  const failures: Result[] = [];
  async function* collected() {
    for await (const result of results) {
      if (!result.passed) failures.push(result);
      yield result;
    }
  }
  yield* lines(collected());
  for (const failure of failures) {
    // A property ends at a comma or a colon, and a message at a line break; lineOf leaves no line break.
    const title = escapeData(failure.check.name).replaceAll(':', '%3A').replaceAll(',', '%2C');
    yield `::error title=${title}::${escapeData(lineOf(failure))}`;
  }
}

const escapeData = (text: string) => text.replaceAll('%', '%25');
