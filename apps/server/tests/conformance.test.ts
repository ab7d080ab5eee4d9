import { checks } from '@petstore/conformance';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RunningApp, startApp } from './support/app.ts';

describe('the service conforms to its contract', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app[Symbol.asyncDispose]());

  for (const check of checks) {
    test(check.name, () => check.run({ baseUrl: app.baseUrl, apiKey: app.apiKey, fetch }));
  }
});
