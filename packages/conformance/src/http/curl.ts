import { gzipSync } from 'node:zlib';
import { oneLine } from './conformance-error.ts';
import type { Target } from './target.ts';

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
  /** The delay before the end of a text body; 0 for any other body. */
  pauseSeconds: number;
}

/** The longest body, in characters, that the command contains as text. A longer body is compressed. */
const MAX_SHOWN = 2_000;

/** The `curl` line that sends a request again. A variable stands for a key. */
export function curlOf(target: Target, sent: SentRequest): string {
  const { method, url, headers } = sent;
  const { input = '', options = [] } = contentOf(sent);
  const words = [
    `${input}curl`,
    // With -X HEAD, curl would wait for a body.
    ...(method === 'HEAD' ? ['-I'] : ['-i', ...(method === 'GET' ? [] : [`-X ${method}`])]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteHeader(target, name, value)}`),
    ...options,
    quote(url),
  ];
  // URLs and entity tags of the deployment may contain anything.
  return redact(target, oneLine(words.join(' ')));
}

/** Replaces the API keys by their variables: a response may contain a key. */
export function redact(target: Target, text: string): string {
  // A shorter key is no secret, and occurs in ordinary words.
  const keys = keysOf(target).filter(([, key]) => key.length >= 8);
  return keys.reduce((redacted, [variable, key]) => redacted.replaceAll(key, `$${variable}`), text);
}

/** The keys of a target, each with its environment variable. */
const keysOf = ({ apiKey, readApiKey }: Target): [variable: string, key: string][] =>
  Object.entries({ PETSTORE_API_KEY: apiKey, ...(readApiKey && { PETSTORE_READ_API_KEY: readApiKey }) });

/** Quotes a text for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function quoteHeader(target: Target, name: string, value: string): string {
  // The notation of curl for a header without a value.
  if (value === '') return quote(`${name};`);
  const [, scheme = '', token = ''] = /^(\S+ )?(.*)$/.exec(value) ?? [];
  // A check also sends a key with a letter after it.
  const [variable, key = ''] = keysOf(target).find(([, key]) => token.startsWith(key)) ?? [];
  if (name.toLowerCase() !== 'authorization' || variable === undefined) return quote(`${name}: ${value}`);
  const rest = token.slice(key.length);
  return `"${name}: ${scheme}$${variable}"${rest === '' ? '' : quote(rest)}`;
}

/** The command before `curl`, and the options of `curl`, that send the body. */
function contentOf({ body, pauseSeconds: pause }: SentRequest): { input?: string; options?: string[] } {
  if (body === null) return {};
  const isPrintable = typeof body === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]*$/u.test(body);
  const text = isPrintable && body.length <= MAX_SHOWN ? quote(body) : undefined;
  const print = text ? `printf %s ${text}` : `echo ${gzipSync(body).toString('base64')} | base64 -d | gunzip`;
  if (pause > 0) return { input: `(${print}; sleep ${pause}) | `, options: ['-T -'] };
  return text ? { options: [`--data-raw ${text}`] } : { input: `${print} | `, options: ['--data-binary @-'] };
}
