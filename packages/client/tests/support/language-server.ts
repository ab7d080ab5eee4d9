import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A message of the compiler. */
export interface Diagnostic {
  /** 1 for the first. */
  line: number;
  message: string;
  /** Whether an editor strikes the code through. */
  deprecated: boolean;
}

interface Results {
  'textDocument/hover': { contents: { value: string } } | null;
  'textDocument/diagnostic': {
    items: { range: { start: { line: number } }; message: string; tags?: number[] }[];
  };
  initialize: object;
}

interface Message {
  id?: number;
  method?: string;
  result: never;
}

const DEPRECATED = 2;

/** Opens a program in TypeScript's language server, as an editor does, in a project that uses this package. */
export async function openInEditor(text: string) {
  const reports = fileURLToPath(new URL('../../reports/', import.meta.url));
  await mkdir(reports, { recursive: true });
  const folder = await mkdtemp(join(reports, 'editor-'));
  const config = { extends: '../../../../tsconfig.base.json', compilerOptions: { noEmit: true } };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const file = join(folder, 'program.ts');
  await writeFile(file, text);

  const server = startServer();
  const uri = pathToFileURL(file).href;
  const textDocument = { uri, languageId: 'typescript', version: 1, text };
  await server.request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        diagnostic: { tagSupport: { valueSet: [DEPRECATED] } },
      },
    },
  });
  server.notify('initialized', {});
  server.notify('textDocument/didOpen', { textDocument });

  return {
    /** The text that an editor shows at the end of the first occurrence of some code. */
    async hover(code: string): Promise<string> {
      const before = text.slice(0, text.indexOf(code) + code.length - 1).split('\n');
      const position = { line: before.length - 1, character: before.at(-1)?.length };
      const hover = await server.request('textDocument/hover', { textDocument, position });
      return hover?.contents.value ?? '';
    },
    async diagnostics(): Promise<Diagnostic[]> {
      const { items } = await server.request('textDocument/diagnostic', { textDocument });
      return items.map(({ range, message, tags }) => ({
        line: range.start.line + 1,
        message,
        deprecated: tags?.includes(DEPRECATED) ?? false,
      }));
    },
    async [Symbol.asyncDispose]() {
      server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts `tsc --lsp`, which speaks JSON-RPC. */
function startServer() {
  const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (result: never) => void>();
  let received = Buffer.alloc(0);

  const send = (message: object) => {
    const json = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
  };
  server.stdout.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      const start = received.indexOf('\r\n\r\n') + 4;
      const end = start + Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, start))?.[1]);
      if (start < 4 || received.length < end) return;
      const message: Message = JSON.parse(received.toString('utf8', start, end));
      const { id, method, result } = message;
      received = received.subarray(end);
      // The server requests settings, of which there are none.
      if (method !== undefined && id !== undefined) send({ id, result: null });
      else if (id !== undefined) waiting.get(id)?.(result);
    }
  });
  return {
    request<Method extends keyof Results>(method: Method, params: object): Promise<Results[Method]> {
      const id = waiting.size + 1;
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    notify: (method: string, params: object) => send({ method, params }),
    stop: () => server.kill(),
  };
}
