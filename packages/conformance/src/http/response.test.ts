import { expect as expectThat, test } from 'vitest';
import { expect } from './response.ts';

const response = {
  request: 'GET /v1/pets',
  url: 'http://petstore.test/v1/pets',
  status: 200,
  headers: new Headers(),
  text: '[]',
  replay: { curl: 'curl', received: '200 secret' },
  redact: (text: string) => text.replaceAll('secret', '<key>'),
};

test('a failure has neither a key nor a line break in its message and its finding', () => {
  const message = 'expected no <key> here rather than 0, but GET /v1/pets returned 200 <key>';
  expectThat(() => expect(response, false, 'no secret\nhere', 0)).toThrow(
    expectThat.objectContaining({ message, finding: 'expected no <key> here' }),
  );
});
