import { hash } from 'node:crypto';
import { type Cursor, decodeCursor, type ErrorCode, encodeCursor, statusOf } from '@petstore/contract';
import type { Fetch } from '../src/http/target.ts';
import type { NewPet } from '../src/interface.ts';
import { operations } from '../src/operations.ts';
import { examplePet, optional } from '../src/pets/pets.ts';
import { API_KEY, FIRST_ID, READ_API_KEY } from './support.ts';

/** A defect of a deployment. Each check whose name matches `foundBy` must find it. */
export type Defect = [defect: string, foundBy: RegExp, breaks: Breaks];

/** Makes a faulty deployment from a correct one. */
type Breaks = (reference: Fetch) => Fetch;

/** The parts of a response that a defect can change. */
type ChangeableResponse = { status: number; headers: Headers; text: string };

/** The parts of a request that a defect can change. The text is empty unless the body is text. */
type ChangeableRequest = { method: string; url: URL; headers: Headers; text: string };
type Fits = (request: ChangeableRequest) => boolean;

const changeable = (url: string, { method = 'GET', headers, body }: RequestInit): ChangeableRequest => ({
  method,
  url: new URL(url),
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : '',
});

/** The service changes the request before it processes it. */
export function changesRequest(change: (request: ChangeableRequest) => unknown): Breaks {
  return (reference) => async (url, init) => {
    const request = changeable(url, init);
    const { text: original } = request;
    change(request);
    const { method, headers, text } = request;
    // A body that is no text stays as it is.
    const body = text === original ? (init.body ?? null) : text;
    return reference(request.url.href, { ...init, method, headers, body });
  };
}

/** Changes the headers of a response, or returns an object with another status or text. */
export type Change = (response: ChangeableResponse, request: ChangeableRequest) => unknown;

/** The service changes its response before it returns it. */
export function changesResponse(change: Change): Breaks {
  return (reference) => async (url, init) => {
    const { status, headers, body } = await reference(url, init);
    const response = { status, headers, text: await new Response(body).text() };
    Object.assign(response, change(response, changeable(url, init)));
    return new Response(response.status === 304 || init.method === 'HEAD' ? null : response.text, response);
  };
}

export const lacksHeader =
  (name: string): Change =>
  ({ headers }) =>
    headers.delete(name);

export const setsHeader =
  (name: string, value: string): Change =>
  ({ headers }) =>
    headers.set(name, value);

const setsRateLimit = (rateLimit: string, policy = '"a";q=9;w=1') =>
  changesResponse(({ headers }) => {
    headers.set('ratelimit-policy', policy);
    headers.set('ratelimit', rateLimit);
  });

const isReplayed = ({ headers }: { headers: Headers }) => headers.has('idempotency-replayed');

/** The service changes the response to a repeated Idempotency-Key. */
const changesReplay = (change: Change) =>
  changesResponse((response, request) => isReplayed(response) && change(response, request));

const rewritesErrors = (part: RegExp, replacement: string) =>
  changesResponse(({ status, text }) => status >= 400 && { text: text.replace(part, replacement) });

/** The service refuses a request, and does nothing else. */
const refuses = (code: ErrorCode, fits: Fits, retryAfter?: string): Breaks => {
  const status = statusOf(code);
  const options = { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} };
  const refuse = () => Response.json({ code, message: 'No.', status }, options);
  return (reference) => async (url, init) => (fits(changeable(url, init)) ? refuse() : reference(url, init));
};

const refusesHeader = (name: string, part: RegExp, code: ErrorCode = 'unsupported_media_type') =>
  refuses(code, ({ headers }) => part.test(headers.get(name) ?? ''));

const refusesApiKey = (part: RegExp) => refusesHeader('authorization', part, 'invalid_api_key');

const hasKey: Fits = ({ headers }) => headers.has('idempotency-key');
const hasReadKey: Fits = ({ headers }) => headers.get('authorization') === `Bearer ${READ_API_KEY}`;

const changesBody = (part: RegExp | string, replacement: string) =>
  changesRequest((request) => {
    request.text = request.text.replace(part, replacement);
  });

const refusesWithout = (name: keyof NewPet) =>
  refuses('invalid_body', ({ method, text }) => method === 'POST' && !text.includes(`"${name}"`));

const refusesUrl = (part: RegExp, code: ErrorCode = 'invalid_parameter') =>
  refuses(code, ({ url }) => part.test(url.href));

const changesKey = (change: (key: string, text: string) => string) =>
  changesRequest(({ headers, text }) => {
    const key = headers.get('idempotency-key');
    if (key !== null) headers.set('idempotency-key', change(key, text));
  });

/** The service accepts other credentials as if they were the right key. */
const takesApiKey = (condition: (authorization: string) => boolean) =>
  changesRequest(({ headers }) => {
    const authorization = headers.get('authorization');
    if (authorization !== null && condition(authorization)) headers.set('authorization', `Bearer ${API_KEY}`);
  });

/** The service changes the text of successful responses. */
const changesText = (change: (text: string) => string, fits: Fits = () => true) =>
  changesResponse(({ status, text }, request) => status < 300 && fits(request) && { text: change(text) });

export const rewrites = (part: string | RegExp, replacement: string, fits?: Fits) =>
  changesText((text) => text.replaceAll(part, replacement), fits);

/** The service gives each pet the same value, the example's. */
const takesExample = (name: keyof NewPet) =>
  changesText((text) => {
    const others = text.replaceAll(new RegExp(`,"${name}":"[^"]*"`, 'g'), '');
    return others.replaceAll('}', `,"${name}":"${examplePet[name]}"}`);
  });

const empties = (fits: Fits) => changesText(() => '[]', fits);

/** The service adds a pet, although its response says otherwise. */
const addsSecretly =
  (fits: (response: Response) => boolean): Breaks =>
  (reference) =>
  async (url, init) => {
    const response = await reference(url, init);
    const request = changeable(url, init);
    const [, name] = /.*"name":("[^"]*")/s.exec(request.text) ?? [];
    if (request.method === 'POST' && name && fits(response)) {
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
      // The checks count pets with this status.
      const body = `{"name":${name},"categoryId":1,"status":"sold"}`;
      await reference(url, { method: 'POST', headers, body });
    }
    return response;
  };

/** The service refuses a request with this status, but adds its pet. */
const addsRefused = (refused: number) => addsSecretly(({ status }) => status === refused);

/** The service caches the first fitting response to each URL, and returns it to each later GET. */
const repeatsResponses =
  (fits: (request: ChangeableRequest, status: number) => boolean): Breaks =>
  (reference) => {
    const cache = new Map<string, Response>();
    return async (url, init) => {
      const cached = cache.get(url);
      if (cached !== undefined && init.method === 'GET') return cached.clone();
      const response = await reference(url, init);
      if (fits(changeable(url, init), response.status)) cache.set(url, response.clone());
      return response;
    };
  };

/** The service overwrites members of a pet that comes with an Idempotency-Key, so that it does not compare them. */
const overwritesWithKey = (members: object) =>
  changesRequest((request) => {
    if (!hasKey(request)) return;
    request.text = JSON.stringify({ ...JSON.parse(request.text), ...members });
  });

const isListing = ({ method, url }: ChangeableRequest) => method === 'GET' && url.pathname.endsWith('/pets');
const hasOffset: Fits = ({ url }) => url.searchParams.has('offset');
const isSingle = ({ url }: ChangeableRequest) => /\/pets\/./.test(url.pathname);
const hasUnknownMember: Fits = ({ text }) => /noProperty|tags/.test(text);
const isBeside = ({ url }: ChangeableRequest) => !url.pathname.startsWith('/v1');

/** The service refuses each request that comes while another one with its Idempotency-Key is in flight. */
export const refusesInFlight =
  (retryAfter?: string, code: ErrorCode = 'idempotency_key_in_flight'): Breaks =>
  (reference) => {
    const keys = new Set<string | null>();
    const keyOf = ({ headers }: ChangeableRequest) => headers.get('idempotency-key');
    const trackInFlight: Fetch = (url, init) => {
      const key = keyOf(changeable(url, init));
      keys.add(key);
      return reference(url, init).finally(() => keys.delete(key));
    };
    return refuses(code, (request) => hasKey(request) && keys.has(keyOf(request)), retryAfter)(trackInFlight);
  };

const changesPath = (change: (path: string) => string) =>
  changesRequest(({ url }) => {
    url.pathname = change(url.pathname);
  });

const removesFromPath = (part: string) => changesPath((path) => path.replace(part, ''));

const ignoresIfNoneMatch = (part: string) =>
  changesRequest(({ headers }) => {
    if (headers.get('if-none-match')?.includes(part)) headers.delete('if-none-match');
  });

const changesQuery = (change: (parameters: URLSearchParams) => void) =>
  changesRequest(({ url }) => change(url.searchParams));

const changesLimit = (fits: (limit: string | null) => boolean, limit: number) =>
  changesQuery((query) => fits(query.get('limit')) && query.set('limit', `${limit}`));

const changesDefault = (limit: number) => changesLimit((given) => given === null, limit);

type ChangesValue = (value: string, response: ChangeableResponse, request: ChangeableRequest) => string;

/** The service changes a header of each response that has it. */
const changesHeader = (name: string, change: ChangesValue) =>
  changesResponse((response, request) => {
    const value = response.headers.get(name);
    if (value !== null) response.headers.set(name, change(value, response, request));
  });

/** The service changes the Link of each page that has a next link. */
const changesLink = (change: (link: string, request: ChangeableRequest) => string) =>
  changesHeader('link', (link, _response, request) =>
    link.includes('rel="next"') && request.method === 'GET' ? change(link, request) : link,
  );

const takesLinkHostFrom = (name: string) =>
  changesLink((link, { headers, url }) =>
    link.replace('</', `<http://${headers.get(name)?.replace('host=', '') ?? url.host}/`),
  );

const changesCursor = (change: (cursor: Cursor, request: ChangeableRequest) => Cursor) =>
  changesLink((link, request) =>
    link.replace(/(?<=cursor=)[\w-]+/, (text) => {
      const cursor = decodeCursor(text);
      return cursor ? encodeCursor(change(cursor, request)) : text;
    }),
  );

const movesCursor = (move: (after: bigint) => bigint) =>
  changesCursor((cursor) => ({ ...cursor, after: move(BigInt(cursor.after)) }));

const changesTag = (tagOf: (url: URL, text: string) => string) =>
  changesHeader('etag', (_tag, { text }, { url }) => `"${tagOf(url, text)}"`);

/** The service reads a body that comes in chunks to its end, and changes it, before it processes the request. */
const collectsChunks =
  (change = (text: string) => text): Breaks =>
  (reference) =>
  async (url, init) => {
    if (!(init.body instanceof ReadableStream)) return reference(url, init);
    return reference(url, { ...init, body: change(await new Response(init.body).text()) });
  };

/** After a fitting response, the service replaces the Idempotency-Key of the request when it comes again. */
const losesKeyAfter =
  (fits: (response: Response) => boolean, otherKey: string): Breaks =>
  (reference) => {
    const used = new Set<string | null>();
    return async (url, init) => {
      const { headers } = changeable(url, init);
      const key = headers.get('idempotency-key');
      if (key !== null && used.has(key)) headers.set('idempotency-key', otherKey);
      const response = await reference(url, { ...init, headers });
      if (fits(response)) used.add(key);
      return response;
    };
  };

const authenticatesLast: Breaks = (reference) => async (url, init) => {
  const headers = new Headers(init.headers);
  if (headers.has('authorization')) return reference(url, init);
  headers.set('authorization', `Bearer ${API_KEY}`);
  const response = await reference(url, { ...init, headers });
  return response.status < 400 ? reference(url, init) : response;
};

const ALL_PAGES = /^A reader of all pages sees each pet once/;
const REFUSED_QUERY = /^Where listPets refuses a limit or a status/;
const REPLAY = /byte for byte$|^The same pet in another notation|^A quoted and a bare/;
const REFUSED_BY_DECISION = /^createPet adds no pet where only a decision requires an error$/;
const REFUSED_BY_INTERFACE = /^createPet adds no pet where the interface document requires an error$/;
const LISTED = /^listPets returns the values of getPet$/;
const OTHER_CREDENTIALS = /^Authorization without/;
const DIFFERENT_PET = /^The same Idempotency-Key with a pet that differs in one property/;
const SAME_BODY = /byte for byte$|^Ten concurrent/;
const IN_FLIGHT = /^(Ten concurrent|Of concurrent bodies)/;
const LOCATION = /^Location is the URL of the new pet$/;
const HEAD = / has the same headers for HEAD$/;
const LIMIT_REACHED = /^A 429 beyond the limit/;
const ODD_ID = /^getPet returns 404 for an id with a sign/;
const OPERATIONS = /^\/openapi.json has the operations of the contract/;

/** Defects by their descriptions. Each check whose name matches `foundBy` must find the defect. */
export const defects: Readonly<Record<string, readonly [foundBy: RegExp, breaks: Breaks]>> = {
  // Access
  'Bearer without a key accepted': [/the scheme Bearer alone$/, takesApiKey((sent) => sent === 'Bearer')],
  'bearer in lower case refused': [/^The scheme Bearer is accepted in any case/, refusesApiKey(/^bearer/)],
  'authorization in lower case refused': [
    /^The header name Authorization is accepted in lower case/,
    (reference) => (url, init) => reference(url, 'authorization' in { ...init.headers } ? {} : init),
  ],
  'an empty Authorization accepted': [OTHER_CREDENTIALS, takesApiKey((sent) => sent === '')],
  'Bearer alone taken for a wrong key': [OTHER_CREDENTIALS, refusesApiKey(/^Bearer$/)],
  'Basic credentials taken for a wrong key': [OTHER_CREDENTIALS, refusesApiKey(/^Basic cGV0/)],
  'Basic credentials accepted': [OTHER_CREDENTIALS, takesApiKey((sent) => sent === `Basic ${API_KEY}`)],
  'a key without a scheme accepted': [OTHER_CREDENTIALS, takesApiKey((sent) => sent === API_KEY)],
  'a longer key accepted': [/resembles the right one$/, takesApiKey((sent) => sent === `Bearer ${API_KEY}x`)],
  'the key checked last': [/^A request without a key returns 401 (rather than|before)/, authenticatesLast],
  'the key checked after the body': [/before its body has arrived$/, collectsChunks()],
  'a read-only key may write': [/^createPet .*only read/, takesApiKey((sent) => sent.includes(READ_API_KEY))],
  'a read-only key refused for reading': [/^listPets with a key/, refuses('insufficient_scope', hasReadKey)],
  'a pet added with a read-only key': [/^createPet with a key that may only read adds/, addsRefused(403)],
  'a RateLimit of another policy': [/^listPets 200 states how many/, setsRateLimit('"b";r=9;t=1')],
  'more requests left than the policy has': [/^listPets 200 states how many/, setsRateLimit('"a";r=10;t=1')],
  'a malformed RateLimit': [/^listPets 200 states how many/, setsRateLimit('"a";r=9')],
  'a window of 0 seconds': [/^listPets 200 states how many/, setsRateLimit('"a";r=9;t=1', '"a";q=9;w=0')],
  '429 without Retry-After': [LIMIT_REACHED, refuses('rate_limited', () => true)],
  '429 with Retry-After: 0': [LIMIT_REACHED, refuses('rate_limited', () => true, '0')],
  '429 without an Error body': [LIMIT_REACHED, changesResponse(() => ({ status: 429 }))],

  // listPets
  'a list as JSONP': [/a JSON array/, changesResponse(setsHeader('content-type', 'application/jsonp'))],
  'a byte order mark': [/a JSON array/, changesText((text) => `\ufeff${text}`)],
  'status filter ignored': [/^The filter status=/, changesQuery((query) => query.delete('status'))],
  // The first two pets have no status.
  'the limit applied before the status filter': [
    /^The filter status=\w+ returns pets of/,
    empties(({ url }) => /limit=2&status/.test(url.search)),
  ],
  'a page that stays as it was': [LISTED, repeatsResponses(({ url }) => url.pathname.endsWith('/pets'))],
  'limits above 50 cut to 50': [/^A page has as many/, changesLimit((limit) => Number(limit) > 50, 50)],
  'limits ignored': [/as many pets as limit says$/, changesQuery((query) => query.delete('limit'))],
  'a default of 10': [/^A page has 20 pets when there is no limit$/, changesDefault(10)],
  'a default of 30': [/^A page has (20|at most 20) pets when there is no limit$/, changesDefault(30)],
  'a maximum of 101': [
    /^A page never has more than 100 pets$/,
    (reference) =>
      changesResponse(({ headers, text }, { url }) => {
        const hasMore = Number(url.searchParams.get('limit')) > 100 && headers.has('link');
        return hasMore && { text: text.replace(']', ',{"id":1,"name":"x","categoryId":1}]') };
      })(changesLimit((limit) => Number(limit) > 100, 100)(reference)),
  ],
  'errors without a code': [REFUSED_QUERY, rewritesErrors(/"code":"[^"]*",/, '')],
  'blank messages': [REFUSED_QUERY, rewritesErrors(/(?<="message":")[^"]+/, ' ')],
  'a limit of 0 that fails': [REFUSED_QUERY, refusesUrl(/limit=0$/, 'internal_error')],
  'a word as limit that fails': [REFUSED_QUERY, refusesUrl(/limit=many$/, 'internal_error')],
  'an unknown status that fails': [REFUSED_QUERY, refusesUrl(/status=adopted$/, 'internal_error')],
  'an octal limit': [/^A limit may have leading zeros$/, changesLimit((limit) => limit === '010', 8)],
  'a limit of +5 accepted': [/^listPets .* plus sign/, changesLimit((limit) => limit === '+5', 5)],
  'unknown query parameters refused': [/^listPets ignores unknown query/, refusesUrl(/colour/)],
  'other pets for an offset': [/^listPets ignores unknown/, rewrites(/"id":\d+/g, '"id":1', hasOffset)],
  'no next link': [
    /^(The next link keeps|A cursor carries|listPets returns 400 when (cursor is repeated|status differs))/,
    changesLink(() => '</>; rel="first"'),
  ],
  'a next link on every page': [
    /^The last page has no next link$/,
    changesResponse(({ headers }, { url }) => headers.set('link', `<${url.href}>; rel="next"`)),
  ],
  'links without limit': [/^The next link keeps/, changesLink((link) => link.replace(/limit=\d+&/, ''))],
  'the host of Forwarded in links': [/^Links do not contain a host/, takesLinkHostFrom('forwarded')],
  'the X-Forwarded-Host in links': [/^Links do not contain a host/, takesLinkHostFrom('x-forwarded-host')],
  'no pets behind a cursor': [/^A cursor carries/, empties(({ url }) => url.searchParams.has('cursor'))],
  // The check adds 160 pets to a store with 0 or 120 pets. It must read more than the first of them to find this.
  'next link that skips a late pet': [ALL_PAGES, movesCursor((id) => (id > FIRST_ID + 150n ? id + 1n : id))],
  'one id for two pets': [ALL_PAGES, rewrites(/3(?=,"name")/g, '2', ({ method }) => method === 'POST')],
  'next link that repeats a pet': [
    /^(A reader of all pages sees each pet once|Pets are listed in ascending order)/,
    movesCursor((id) => id - 1n),
  ],
  'a next link after a full last page': [
    /^A next link leads to a page with pets$/,
    changesResponse(({ headers, text }, { url }) => {
      const id = /.*"id":(\d+)/s.exec(text)?.[1];
      const count = text.split('"id":').length - 1;
      const hasNext = headers.get('link')?.includes('rel="next"');
      if (!id || hasNext || count !== Number(url.searchParams.get('limit') ?? 20)) return;
      const cursor = decodeCursor(url.searchParams.get('cursor') ?? '');
      const next = encodeCursor({ ...cursor, after: BigInt(id) });
      headers.append('link', `</v1/pets?limit=${count}&cursor=${next}>; rel="next"`);
    }),
  ],
  'the first of two cursors used': [
    /^listPets returns 400 when cursor is repeated$/,
    changesQuery((query) => query.has('cursor') && query.set('cursor', query.get('cursor') ?? '')),
  ],
  'another status beside the status of a cursor ignored': [
    /^listPets returns 400 when status differs/,
    changesQuery((query) => decodeCursor(query.get('cursor') ?? '')?.status && query.delete('status')),
  ],
  'the filter of the cursor lost without a status beside it': [
    /^A cursor carries its status filter$/,
    changesQuery((query) => {
      const cursor = decodeCursor(query.get('cursor') ?? '');
      if (cursor && !query.has('status')) query.set('cursor', encodeCursor({ after: cursor.after }));
    }),
  ],
  'the filter lost in the next link of a page that was requested by a cursor alone': [
    /^A cursor carries its status filter$/,
    changesCursor((cursor, { url }) => (url.searchParams.has('status') ? cursor : { after: cursor.after })),
  ],

  // createPet
  'no id in a 201': [/^createPet returns 201/, rewrites(/"id":\d+,/g, '', (sent) => sent.method === 'POST')],
  'names with a prefix': [/^createPet returns 201 with the sent pet/, rewrites('"name":"', '"name":"x')],
  'equal pets merged': [
    /^createPet adds exactly one pet each time$/,
    changesRequest(({ headers, text }) => text && headers.set('idempotency-key', hash('sha1', text))),
  ],
  'the id of the body used': [
    /^createPet does not use an id in the body/,
    changesResponse(({ text }, request) => {
      const [id] = /"id":\d+/.exec(request.text) ?? [];
      return id !== undefined && { text: text.replace(/"id":\d+/, id) };
    }),
  ],
  'a wrong id for the second pet': [
    /^Each pet has an id of its own$/,
    rewrites(/"id":\d+/g, `"id":${FIRST_ID}`, ({ text }) => text.includes('"Second"')),
  ],
  'the status lost': [/^createPet adds a pet with status/, rewrites(/,"status":"\w+"/g, '')],
  'a long name that fails': [LISTED, refuses('internal_error', ({ text }) => text.length > 2_000)],
  'names cut in listings': [LISTED, rewrites(/(?<="name":"x{255})x*/g, '', isListing)],
  'names trimmed in listings': [LISTED, rewrites(/(?<="name":") +/g, '', isListing)],
  'int64 rounded in listings': [LISTED, rewrites('":9007199254740993', '":9007199254740992', isListing)],
  'a status invented in listings': [
    /^(listPets returns the values of getPet|A status that is left out stays left out)$/,
    rewrites(/("categoryId":-?\d+)(?![^{}]*"status")/g, '$1,"status":"available"', isListing),
  ],
  'int64 rounded': [
    /^The categoryId (-?9007199254740993|9223372036854775807)/,
    changesText((text) => text.replaceAll(/\d{16,}/g, (digits) => `${BigInt(Number(digits))}`)),
  ],
  'another category kept': [/^The categoryId /, rewrites(/"categoryId":-?\d+/g, '"categoryId":7', isSingle)],
  'categoryId 0 refused': [/^The categoryId 0 /, refuses('invalid_body', ({ text }) => /Id":0\b/.test(text))],
  'the lowest int64 changed': [/^The categoryId -9223372036854775808 /, changesBody('775808', '775807')],
  'the highest int64 changed': [/^The categoryId 9223372036854775807 /, changesBody('775807', '775806')],
  'another name': [/^A name with /, rewrites(/"name":"(?:[^"\\]|\\.)*"/g, '"name":"x"')],
  'names normalised (NFC)': [/^A name with decomposed/, changesText((text) => text.normalize('NFC'))],
  'unknown members refused': [/^createPet ignores /, refuses('invalid_body', hasUnknownMember)],
  'unknown members returned': [/^createPet ignores /, rewrites('}', ',"tags":[]}', hasUnknownMember)],
  'a body of null that fails': [/for null$/, refuses('internal_error', ({ text }) => text === 'null')],
  'a body limit of one byte less': [/^createPet accepts a body of 64 KiB$/, changesBody(/}$/, '} ')],
  'a body limit of one byte more': [/a body of one byte more than 64 KiB$/, changesBody(/ $/, '')],
  'nesting of 33 levels accepted': [/deeper than 32 levels$/, changesBody(/:\[{32}\]{32}\}/, ':[]}')],
  'nesting of 32 levels refused': [/ignores 32 levels of nesting$/, changesBody(/\[{31}/, '')],
  'a name in two notations accepted': [/twice in two notations$/, changesBody('"n\\u0061me":"x",', '')],
  'a charset refused': [/ charset=utf-8$/, refusesHeader('content-type', /utf-8$/)],
  'a media type in capitals refused': [/ Application\/JSON$/, refusesHeader('content-type', /^A/)],
  'a media type cut at its second slash': [/ profile=".*"$/, refusesHeader('content-type', /\/.*\//)],
  'a body in chunks refused': [
    /without its length$/,
    refuses('invalid_body', ({ method, text }) => method === 'POST' && text === ''),
  ],
  'a body in chunks of any length': [/above 64 KiB in chunks, /, collectsChunks((text) => text.trimEnd())],
  'If-Match obeyed': [/an If-Match$/, refusesHeader('if-match', /./, 'precondition_failed')],
  'If-None-Match obeyed': [/an If-None-Match$/, refusesHeader('if-none-match', /./, 'precondition_failed')],
  'Location missing': [LOCATION, changesResponse(lacksHeader('Location'))],
  'Location of another pet': [LOCATION, changesHeader('location', (path) => `${path}0`)],
  'Location below another path': [LOCATION, changesHeader('location', (path) => `/other${path}`)],
  ...Object.fromEntries(
    optional.flatMap((name): [string, [RegExp, Breaks]][] => [
      [`the ${name} of the example in all pets`, [new RegExp(`^A ${name} that is left`), takesExample(name)]],
      [`a pet without a ${name} refused`, [new RegExp(`^A ${name} that is left`), refusesWithout(name)]],
      [`${name}: null accepted`, [new RegExp(`a ${name} that is null$`), changesBody(`,"${name}":null`, '')]],
    ]),
  ),
  'pets without a status in a listing with a filter': [
    /^A status filter returns no pet without a status$/,
    changesQuery((query) => query.get('status') === 'pending' && query.delete('status')),
  ],
  'a pet added without a key': [REFUSED_BY_INTERFACE, addsRefused(401)],
  'an invalid pet added': [REFUSED_BY_INTERFACE, addsRefused(400)],
  'a pet of too many bytes added': [REFUSED_BY_DECISION, addsRefused(413)],
  'a pet of another media type added': [REFUSED_BY_DECISION, addsRefused(415)],
  'a pet added for a reused Idempotency-Key': [
    /^(createPet adds no pet where only a decision|Of concurrent bodies)/,
    addsRefused(422),
  ],

  // Idempotency keys
  'Idempotency-Keys ignored': [
    /^(The same (Idempotency-Key|pet in)|Of concurrent bodies|Ten concurrent|A quoted and a bare|A refused body leaves)/,
    changesRequest(({ headers }) => headers.delete('idempotency-key')),
  ],
  'the first response marked as replayed': [
    /byte for byte$/,
    changesResponse(({ status, headers }) => status === 201 && headers.set('idempotency-replayed', 'true')),
  ],
  'a replayed response in another notation': [SAME_BODY, changesReplay(({ text }) => ({ text: `${text} ` }))],
  'a replayed response with 200': [REPLAY, changesReplay(() => ({ status: 200 }))],
  'a pet added again for a replayed response': [SAME_BODY, addsSecretly(isReplayed)],
  'another code for a reused Idempotency-Key': [
    /^(The same Idempotency-Key with a pet that differs|A refused body leaves|Of concurrent bodies)/,
    rewritesErrors(/idempotency_key_reused/, 'invalid_body'),
  ],
  '409 without Retry-After': [IN_FLIGHT, refusesInFlight()],
  '500 for a request in flight': [IN_FLIGHT, refusesInFlight('1', 'internal_error')],
  'every key in flight': [/^Of concurrent bodies/, refuses('idempotency_key_in_flight', hasKey, '1')],
  'another code for a request in flight': [
    IN_FLIGHT,
    (reference) =>
      rewritesErrors(/idempotency_key_in_flight/, 'invalid_body')(refusesInFlight('1')(reference)),
  ],
  'a replayed response without Location': [REPLAY, changesReplay(lacksHeader('Location'))],
  'a replayed response that is not marked': [REPLAY, changesReplay(lacksHeader('Idempotency-Replayed'))],
  'an Idempotency-Key compared without name': [DIFFERENT_PET, overwritesWithKey({ name: 'x' })],
  'an Idempotency-Key compared without categoryId': [DIFFERENT_PET, overwritesWithKey({ categoryId: 1 })],
  'an Idempotency-Key compared without status': [DIFFERENT_PET, overwritesWithKey({ status: undefined })],
  'an Idempotency-Key used up by a refused request': [
    /^A refused request leaves its Idempotency-Key/,
    losesKeyAfter(({ status }) => status === 400, 'two words'), // A key with a space is refused.
  ],
  'the first response lost when its Idempotency-Key is reused': [
    /^A refused body leaves the first response/,
    losesKeyAfter(({ status }) => status === 422, 'another'),
  ],
  'a key that repeats its response only once': [/byte for byte$/, losesKeyAfter(isReplayed, 'another')],
  'bodies compared as text': [/^The same pet in/, changesKey((key, text) => key + hash('sha1', text))],
  'Idempotency-Keys in lower case': [/^Idempotency-Keys that differ/, changesKey((key) => key.toLowerCase())],
  'keys cut to 254 characters': [/^Idempotency-Keys that have 255/, changesKey((key) => key.slice(0, 254))],
  'keys of 256 characters accepted': [/has 256 char/, changesKey((key) => key.replace(/^.{256}$/, 'k'))],
  'quotes in the Idempotency-Key': [/^A quoted and a bare/, changesKey((key) => key.replaceAll('"', 'q'))],

  // getPet
  'a 404 that stays': [/^getPet returns a new pet although/, repeatsResponses((_, status) => status === 404)],
  'another name in getPet': [/returns (each pet as|the values)/, rewrites('"name":"', '"name":"x', isSingle)],
  // The reference server starts with pets that have no status.
  'a status invented in getPet': [/^getPet returns each/, rewrites('}', ',"status":"sold"}', isSingle)],
  'another pet for a percent-encoded id': [
    /^getPet returns a pet whose id is percent-encoded$/,
    rewrites(/"id":\d+/g, '"id":1', ({ url }) => url.pathname.includes('%3')),
  ],
  'ids with %20 accepted': [ODD_ID, removesFromPath('%20')],
  'ids with a leading zero accepted': [ODD_ID, changesPath((path) => path.replace('/0', '/'))],
  'ids with + accepted': [ODD_ID, removesFromPath('+')],
  'ids with .0 accepted': [ODD_ID, removesFromPath('.0')],
  'ids with e0 accepted': [ODD_ID, removesFromPath('e0')],
  'an id of 2^63 that fails': [/beyond int64$/, refusesUrl(/9223372036854775808$/, 'internal_error')],

  // Representations
  'another ETag in a 304': [
    /^A 304 has the ETag/,
    changesResponse(({ status, headers }) => status === 304 && headers.set('etag', '"other"')),
  ],
  'one ETag for all pets': [/has an ETag of its own$/, changesTag(({ search }) => btoa(search))],
  'one ETag for all pages': [/has an ETag of its own$/, changesTag(({ pathname }) => pathname)],
  'an ETag without next link': [/^The ETag of the last page/, changesTag((_url, text) => hash('sha1', text))],
  'only the first tag of If-None-Match': [/304 when .* has several/, ignoresIfNoneMatch('"another",')],
  'If-None-Match with a weak tag ignored': [/304 when .* has a weak/, ignoresIfNoneMatch('W/')],
  'several weak tags ignored': [/304 when .* several weak/, ignoresIfNoneMatch('W/"another", W/')],
  'a 304 for any tag in If-None-Match': [
    /200 when If-None-Match has another/,
    changesResponse((_, { headers }) => headers.has('if-none-match') && { status: 304 }),
  ],
  'If-None-Match with an asterisk ignored': [/304 when If-None-Match is \*$/, ignoresIfNoneMatch('*')],
  'another status for HEAD': [HEAD, changesResponse((_, { method }) => method === 'HEAD' && { status: 204 })],
  'a weak ETag for HEAD alone': [
    /^(listPets|getPet) (200|304) has the same headers for HEAD$/,
    changesHeader('etag', (tag, _, { method }) => (method === 'HEAD' ? `W/${tag}` : tag)),
  ],
  'a Content-Length of 3 for GET and 4 for HEAD': [
    HEAD,
    changesResponse(({ headers }, { method }) => headers.set('content-length', `${method.length}`)),
  ],
  'Allow without POST': [/in Allow$/, changesResponse(setsHeader('allow', 'GET, HEAD'))],
  'Allow with TRACE': [/in Allow$/, changesResponse(setsHeader('allow', 'GET, HEAD, POST, TRACE'))],
  'paths with percent-encoding decoded': [/404 for a path with a percent-encoded/, changesPath(decodeURI)],
  'paths in any case': [/404 for a path in capitals$/, changesPath((path) => path.toLowerCase())],
  'a slash at the end ignored': [/404 for a trailing slash$/, changesPath((path) => path.replace(/\/$/, ''))],
  '405 for an unknown method': [
    /^A valid method that no service knows returns 501$/,
    refuses('method_not_allowed', ({ method }) => method === 'BREW'),
  ],
  'a key needed beside the version prefix': [
    /beside the version prefix needs no key$/,
    refuses('missing_api_key', (request) => isBeside(request) && !request.headers.has('authorization')),
  ],
  'an operation that is not described': [OPERATIONS, rewrites('"post":', '"put":', isBeside)],
  'a deprecation that is not described': [OPERATIONS, rewrites('"deprecated":true', '"a":true', isBeside)],
  ...(operations.some(({ deprecation }) => deprecation === undefined) && {
    'a deprecation for nothing': [OPERATIONS, rewrites('"post":{', '"post":{"deprecated":true,', isBeside)],
  }),
  'an experimental operation': [OPERATIONS, rewrites('"post":{', '"post":{"x-stability":"beta",', isBeside)],
};
