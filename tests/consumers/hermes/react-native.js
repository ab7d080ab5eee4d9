// What React Native has of the web platform on Hermes, and the additions that the README of the client names.
import 'core-js/web/url.js';
import 'core-js/web/url-search-params.js';
import { AbortController } from 'abort-controller';
import { Headers } from 'whatwg-fetch';

Object.assign(globalThis, {
  AbortController,
  Headers,
  console: { warn: print },
  crypto: { getRandomValues: (array) => array.map(() => Math.random() * 2 ** 32) },
  performance: { now: Date.now },
  // The command line of Hermes ignores delays: a timeout would end each call at once.
  setTimeout: () => 0,
  clearTimeout() {},
});
Symbol.asyncIterator ??= Symbol('Symbol.asyncIterator');
