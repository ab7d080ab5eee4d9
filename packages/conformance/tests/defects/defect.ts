import type { Fetch } from '../../src/target.ts';

/** A way in which a deployment can be wrong, as a change to a correct one. */
export interface Defect {
  defect: string;
  /** The name of the check that must find it. */
  foundBy: string;
  breaks(reference: Fetch): Fetch;
}

/** What a defect may change of a response. */
export interface ChangeableResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** What a defect may change of a request. */
export interface ChangeableRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** The body, if it is text. */
  text: string;
}

function changeable(url: string, { method = 'GET', headers, body }: RequestInit): ChangeableRequest {
  const text = typeof body === 'string' ? body : '';
  return { method, url: new URL(url), headers: new Headers(headers), text };
}

/** The service reads the request as another one. */
export function changesRequest(change: (request: ChangeableRequest) => void): Defect['breaks'] {
  return (reference) => async (url, init) => {
    const request = changeable(url, init);
    const { text } = request;
    change(request);
    const body = request.text === text ? (init.body ?? null) : request.text;
    return reference(request.url.href, { ...init, method: request.method, headers: request.headers, body });
  };
}

/** The query of the request with a parameter changed; `undefined` removes it. */
export function changesParameter(
  name: string,
  change: (value: string) => string | undefined,
): Defect['breaks'] {
  return changesRequest(({ url: { searchParams } }) => {
    const changed = change(searchParams.get(name) ?? '');
    if (changed === undefined) searchParams.delete(name);
    else if (searchParams.get(name) !== changed) searchParams.set(name, changed);
  });
}

/** The service returns another response. */
export function changesResponse(
  change: (response: ChangeableResponse, request: ChangeableRequest) => void,
): Defect['breaks'] {
  return (reference) => async (url, init) => {
    const { status, headers, body } = await reference(url, init);
    const changed = { status, headers, text: await new Response(body).text() };
    change(changed, changeable(url, init));
    const isBodiless = changed.status === 304 || init.method === 'HEAD';
    return new Response(isBodiless ? null : changed.text, changed);
  };
}

/** Responses lack a header, or have another value in it. */
export function changesHeader(name: string, value?: string): Defect['breaks'] {
  return changesResponse(({ headers }) => {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  });
}

/** The service reads the body of createPet in its own way. */
export function changesBody(change: (text: string) => string): Defect['breaks'] {
  return changesRequest((request) => {
    if (request.method === 'POST' && request.headers.has('authorization'))
      request.text = change(request.text);
  });
}

/** The service accepts what it must refuse, as if it were this pet. */
export function accepts(
  condition: (response: ChangeableResponse, request: ChangeableRequest) => boolean,
  pet = '{"id":1,"name":"x","categoryId":1}',
): Defect['breaks'] {
  return changesResponse((response, request) => {
    if (!condition(response, request)) return;
    response.status = request.method === 'POST' ? 201 : 200;
    response.text = request.method === 'POST' || /\/pets\/./.test(request.url.pathname) ? pet : `[${pet}]`;
  });
}
