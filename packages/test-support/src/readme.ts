/** The code blocks of a Markdown page in a language, each with the line at which it begins. */
export function codeBlocks(markdown: string, language: string): { code: string; line: number }[] {
  const blocks = markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  const lineAt = (index: number) => markdown.slice(0, index).split('\n').length;
  return Array.from(blocks, ({ index, 1: code = '' }) => ({ code, line: lineAt(index) }));
}

/** Adds the store of the client's first snippet to a snippet that uses `store` without creating one. */
export const withStore = (snippet: string): string =>
  /\bstore\b/.test(snippet) && !snippet.includes('const store')
    ? `import { createPetStore } from '@petstore/client';
const store = createPetStore({ baseUrl: 'http://localhost:3000/v1', apiKey: 'pst_…' });
${snippet}`
    : snippet;

/** The commands of a console block, each with the lines that it prints. */
export const stepsOf = (block: string): { command: string; printed: string }[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...lines] = step.trimEnd().split('\n');
      return { command, printed: lines.join('\n') };
    });

const VARIABLE_ROW = /^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm;

/** The variables of a page's table, each with its default, which may be empty. */
export const variablesOf = (markdown: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(markdown.matchAll(VARIABLE_ROW), ([, name = '', value = '']) => [name, value]),
  );

/** Reduces each JSON object of a command's output to the members that a README prints, because a pet may have more. */
export function reduceToMembersOf(printed: string, output: string): string {
  const lines = printed.split('\n');
  return output
    .split('\n')
    .map((line, index) => reduceToMembers(lines[index] ?? '', line))
    .join('\n');
}

function reduceToMembers(expected: string, line: string): string {
  if (!expected.startsWith('{') || !line.startsWith('{')) return line;
  const names = Object.keys(JSON.parse(expected));
  const members = Object.entries(JSON.parse(line)).filter(([name]) => names.includes(name));
  return JSON.stringify(Object.fromEntries(members));
}
