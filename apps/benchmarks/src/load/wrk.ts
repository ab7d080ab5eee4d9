import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '@petstore/test-support/files';
import { z } from 'zod';
import type { Load, LoadResult } from './load.ts';
import { byWeight, type Request, reserveSerials, type Workload } from './template.ts';

const run = promisify(execFile);

/** What the script below prints when the run is over. */
const Summary = z.object({ requests: z.number(), microseconds: z.number(), failed: z.number() });

/** Sends a load with wrk, from one thread. */
export async function wrk({ port, workload, connections }: Load, seconds: number): Promise<LoadResult> {
  await using folder = await temporaryFolder();
  const script = folder.file('workload.lua');
  await writeFile(script, scriptOf(workload));
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  const { stdout } = await run('wrk', [...options, `http://127.0.0.1:${port}/`]);
  const summary = Summary.parse(JSON.parse(stdout.slice(stdout.lastIndexOf('{'))));
  return {
    requestsPerSecond: summary.requests / (summary.microseconds / 1_000_000),
    responses: summary.requests,
    failed: summary.failed,
  };
}

/**
 * A Lua script that formats each template once, fills the placeholders for each request, and prints a
 * summary as JSON. The seed is fixed: every server gets the same requests in the same order.
 */
const scriptOf = (workload: Workload) => `
local formatted, serial = {}, ${reserveSerials()}
local function fill(placeholder)
  if placeholder == 'id' then return math.random(${workload.ids}) end
  serial = serial + 1
  return string.format('%08d', serial)
end
function init()
  math.randomseed(1)
${byWeight(workload)
  .map((template) => `  table.insert(formatted, wrk.format(${formatArguments(template)}))`)
  .join('\n')}
end
function request()
  return (formatted[math.random(#formatted)]:gsub('{(%l+)}', fill))
end
function done(summary)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"failed":%d}',
    summary.requests, summary.duration, e.connect + e.read + e.write + e.timeout + e.status))
end
`;

function formatArguments({ method, path, headers, body }: Request): string {
  const formatted = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`);
  return [
    quote(method),
    quote(path),
    `{${formatted.join(',')}}`,
    body === undefined ? 'nil' : quote(body),
  ].join();
}

/** Lua reads the escapes of JSON that our requests have, `\\"` and `\\\\`, as JSON does. */
const quote = (text: string) => JSON.stringify(text);
