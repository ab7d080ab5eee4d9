import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '@petstore/test-support/files';
import { parse, parseAllDocuments, stringify } from 'yaml';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [property: string]: unknown;
}

type Values = Record<string, unknown>;

/**
 * Renders a chart. With HELM set to the command `helm` that does it, as in the workflow `test`; otherwise the part of
 * its template language is rendered here that the chart uses, so that the tests need no program that npm does not have.
 */
export async function renderChart(folder: string, release: string, values: Values): Promise<Manifest[]> {
  const text = process.env.HELM
    ? await renderByHelm(process.env.HELM, folder, release, values)
    : renderTemplates(folder, release, values);
  return parseAllDocuments(text)
    .map((document): Manifest | null => document.toJS())
    .filter((manifest) => manifest !== null);
}

async function renderByHelm(helm: string, folder: string, release: string, values: Values): Promise<string> {
  await using temporary = await temporaryFolder();
  const file = temporary.file('values.json');
  writeFileSync(file, JSON.stringify(values));
  return execFileSync(helm, ['template', release, folder, '--values', file], { encoding: 'utf8' });
}

function renderTemplates(folder: string, release: string, values: Values): string {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const chart = parse(read('Chart.yaml'));
  const scope = {
    Values: merge(parse(read('values.yaml')), values),
    Release: { Name: release, Service: 'Helm' },
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
  };
  return globSync('templates/*.yaml', { cwd: folder })
    .map((file) => renderTemplate(basename(file), read(file), scope))
    .join('\n---\n');
}

/** As Helm does: objects are merged, and everything else is replaced. */
function merge(defaults: unknown, values: unknown): unknown {
  if (!isObject(defaults) || !isObject(values)) return values;
  const merged = Object.entries(values).map(([name, value]) => [name, merge(defaults[name], value)]);
  return { ...defaults, ...Object.fromEntries(merged) };
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What templates take for false. */
const isEmpty = (value: unknown) => !value || (typeof value === 'object' && Object.keys(value).length === 0);

function renderTemplate(name: string, template: string, scope: Values): string {
  // `{{-` and `-}}` remove the space beside them.
  const parts = template
    .replaceAll(/\s*\{\{- /g, '{{ ')
    .replaceAll(/ -\}\}\s*/g, ' }}')
    .split(/\{\{ (.*?) \}\}/);
  /** For each `if` that is open, whether its text is rendered. */
  const conditions: boolean[] = [];
  let text = '';
  parts.forEach((part, index) => {
    const isShown = !conditions.includes(false);
    const [, condition] = /^if (.*)$/.exec(part) ?? [];
    if (index % 2 === 0) text += isShown ? part : '';
    else if (part === 'end') conditions.pop();
    else if (condition !== undefined) conditions.push(isShown && !isEmpty(evaluate(condition, scope)));
    else if (isShown) text += evaluate(part, scope);
  });
  if (conditions.length > 0) throw new Error(`${name}: an if has no end`);
  return text;
}

function evaluate(pipeline: string, scope: Values): unknown {
  const [first = '', ...rest] = pipeline.split(' | ');
  const [, functionName, path = ''] = /^(?:(\w+) )?(\.[\w.]+)$/.exec(first) ?? [];
  const value = find(path, scope);
  const initial = functionName === undefined ? value : call(functionName, [], value, scope);
  return rest.reduce((input, part) => {
    const [name = '', ...parameters] = part.split(' ');
    return call(name, parameters, input, scope);
  }, initial);
}

function find(path: string, scope: Values): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => {
      if (!isObject(value) || !(name in value)) throw new Error(`The chart has no ${path}`);
      return value[name];
    }, scope);
}

function call(name: string, [parameter = '']: string[], input: unknown, scope: Values): unknown {
  switch (name) {
    case 'not':
      return isEmpty(input);
    case 'quote':
      return JSON.stringify(String(input));
    case 'default':
      return isEmpty(input) ? find(parameter, scope) : input;
    case 'toYaml':
      return stringify(input).trimEnd();
    case 'nindent':
      return `\n${input}`.replaceAll('\n', `\n${' '.repeat(Number(parameter))}`);
    default:
      throw new Error(`${name} is no function that is rendered here: add it, or leave it out of the chart`);
  }
}
