import { causeOf, replayOf } from '../run/findings.ts';
import type { Result } from '../run/run.ts';
import { linesOf } from './lines.ts';

/** A JUnit XML document in one piece, as CI systems read it. The type of a failure is its cause. */
export async function* junit(results: AsyncIterable<Result>): AsyncGenerator<string> {
  const all = await Array.fromAsync(results);
  const failures = all.filter(({ passed }) => !passed).length;
  const seconds = all.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  const counts = `tests="${all.length}" failures="${failures}" time="${seconds}"`;
  yield [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `<testsuite name="petstore-conformance" ${counts}>`,
    ...all.map(testCase),
    '</testsuite>',
    '</testsuites>',
  ].join('\n');
}

function testCase({ check, milliseconds, error }: Result): string {
  const attributes = `classname="${escapeXml(check.cites)}" name="${escapeXml(check.name)}" time="${milliseconds / 1000}"`;
  if (error === undefined) return `<testcase ${attributes}/>`;
  const { curl, received, requestId } = linesOf(replayOf(error));
  const details = [curl, received, requestId].filter((line) => line !== undefined).map(escapeXml);
  const failure = `type="${escapeXml(causeOf(error))}" message="${escapeXml(error.message)}"`;
  return `<testcase ${attributes}><failure ${failure}>${details.join('\n')}</failure></testcase>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// XML 1.0 cannot hold most control characters or a lone surrogate at all, not even escaped.
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]+/gu, ' ')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
