import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Load, LoadResult, Request } from './request.ts';

const run = promisify(execFile);

/** What the script below prints when the run is over. */
const Summary = z.object({ requests: z.number(), microseconds: z.number(), failed: z.number() });

/** Sends a load with wrk, from one thread. */
export async function wrk({ port, requests, connections, seconds }: Load): Promise<LoadResult> {
  const script = join(tmpdir(), `petstore-wrk-${randomUUID()}.lua`);
  await writeFile(script, scriptOf(requests));
  try {
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
    const { stdout } = await run('wrk', [...options, `http://127.0.0.1:${port}/`]);
    const summary = Summary.parse(JSON.parse(stdout.slice(stdout.lastIndexOf('{'))));
    return {
      requestsPerSecond: summary.requests / (summary.microseconds / 1_000_000),
      answered: summary.requests,
      failed: summary.failed,
    };
  } finally {
    await rm(script, { force: true });
  }
}

/** A script that formats all requests once, sends them in turn and prints a summary as JSON. */
const scriptOf = (requests: readonly Request[]) => `
local formatted, index = {}, 0
function init()
${requests.map((request) => `  table.insert(formatted, wrk.format(${formatArguments(request)}))`).join('\n')}
end
function request()
  index = index % #formatted + 1
  return formatted[index]
end
function done(summary)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"failed":%d}',
    summary.requests, summary.duration, e.connect + e.read + e.write + e.timeout + e.status))
end
`;

function formatArguments({ method, path, headers, body }: Request): string {
  const fields = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`);
  return [
    quote(method),
    quote(path),
    `{${fields.join(',')}}`,
    body === undefined ? 'nil' : quote(body),
  ].join();
}

// JSON's escapes for what our requests hold, `\\"` and `\\\\`, are Lua's too.
const quote = (text: string) => JSON.stringify(text);
