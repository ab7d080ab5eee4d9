import type { Fetch } from '../../src/target.ts';

/** A way in which a deployment can be wrong, put in front of a right one. */
export interface Defect {
  defect: string;
  /** The name of the check that must find it. */
  foundBy: string;
  breaks(reference: Fetch): Fetch;
}

/** What a defect may change of an answer. */
export interface Draft {
  status: number;
  headers: Headers;
  text: string;
}

/** The request as a defect sees it. */
export interface Seen {
  method: string;
  url: URL;
  headers: Headers;
  /** The body, if it is a text. */
  text: string;
}

function see(url: string, { method = 'GET', headers, body }: RequestInit): Seen {
  const text = typeof body === 'string' ? body : '';
  return { method, url: new URL(url), headers: new Headers(headers), text };
}

/** The service takes the request for another one. */
export function mistakesRequest(change: (request: Seen) => void): Defect['breaks'] {
  return (reference) => async (url, init) => {
    const seen = see(url, init);
    const { text } = seen;
    change(seen);
    const body = seen.text === text ? (init.body ?? null) : seen.text;
    return reference(seen.url.href, { ...init, method: seen.method, headers: seen.headers, body });
  };
}

/** The service gives another answer. */
export function mistakesAnswer(change: (answer: Draft, request: Seen) => void): Defect['breaks'] {
  return (reference) => async (url, init) => {
    const { status, headers, body } = await reference(url, init);
    const draft = { status, headers, text: await new Response(body).text() };
    change(draft, see(url, init));
    const isBodiless = draft.status === 304 || init.method === 'HEAD';
    return new Response(isBodiless ? null : draft.text, draft);
  };
}

/** Answers of this kind lack a header field, or have another one. */
export function mistakesHeader(name: string, value?: string): Defect['breaks'] {
  return mistakesAnswer(({ headers }) => {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  });
}

/** The service reads the body of createPet in its own way. */
export function mistakesBody(change: (text: string) => string): Defect['breaks'] {
  return mistakesRequest((request) => {
    if (request.method === 'POST' && request.headers.has('authorization'))
      request.text = change(request.text);
  });
}

/** The service takes what it must refuse, as if it were this animal. */
export function accepts(
  condition: (answer: Draft, request: Seen) => boolean,
  pet = '{"id":1,"name":"x","categoryId":1}',
): Defect['breaks'] {
  return mistakesAnswer((answer, request) => {
    if (!condition(answer, request)) return;
    answer.status = request.method === 'POST' ? 201 : 200;
    answer.text = request.method === 'POST' || /\/pets\/./.test(request.url.pathname) ? pet : `[${pet}]`;
  });
}
