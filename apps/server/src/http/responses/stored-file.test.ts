import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { expect, test } from 'vitest';
import { StoredFile } from './stored-file.ts';

/** A header of a response, which has names and values in turn. */
function headerOf(headers: readonly string[], name: string): string | undefined {
  const index = headers.indexOf(name);
  return index < 0 ? undefined : headers[index + 1];
}

test('each caller gets the form that it accepts, with an entity tag of its own', async () => {
  await using folder = await temporaryFolder();
  const contents = { '': 'plain', '.br': 'by brotli', '.gz': 'by gzip' };
  for (const [suffix, content] of Object.entries(contents)) {
    writeFileSync(folder.file(`a.js${suffix}`), content);
  }
  const file = new StoredFile(pathToFileURL(folder.file('a.js')).href, ['br', 'gzip']);

  const responses = await Promise.all(
    ['', 'gzip, br', 'gzip'].map((accepted) => file.respond({ 'accept-encoding': accepted }, ['X-A', 'b'])),
  );

  expect(responses.map(({ body }) => String(body))).toEqual(Object.values(contents));
  expect(responses.map(({ headers }) => headerOf(headers, 'Content-Encoding'))).toEqual([
    undefined,
    'br',
    'gzip',
  ]);
  for (const { headers, etag } of responses) {
    expect(headerOf(headers, 'Vary')).toBe('Accept-Encoding');
    expect(headerOf(headers, 'ETag')).toBe(etag);
    expect(headerOf(headers, 'X-A')).toBe('b');
  }
  expect(new Set(responses.map(({ etag }) => etag)).size).toBe(3);
});

test('all callers share one copy in memory', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('a.js'), 'here');
  const file = new StoredFile(pathToFileURL(folder.file('a.js')).href);
  const [one, other] = await Promise.all([file.respond({}, []), file.respond({}, [])]);
  expect(one.body).toBe(other.body);
});

test('a file is read again for the next request after it could not be read', async () => {
  await using folder = await temporaryFolder();
  const file = new StoredFile(pathToFileURL(folder.file('a.js')).href);
  await expect(file.respond({}, [])).rejects.toThrow('ENOENT');
  writeFileSync(folder.file('a.js'), 'here');
  expect(String((await file.respond({}, [])).body)).toBe('here');
});
