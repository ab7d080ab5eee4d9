import { createHash } from 'node:crypto';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** A fault: one edit of one file. */
export interface Mutant {
  file: string;
  line: number;
  operator: string;
  start: number;
  before: string;
  after: string;
}

/** Operators whose mutants are found but not made: few tests compare the words of a message, the level of a log line, or an element's class. */
export const excluded: ReadonlySet<string> = new Set(['text of a message', 'level of a log line', 'class']);

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
};

/** @returns every mutant of a TypeScript file, with the excluded ones */
export function findMutants(file: string, text: string): Mutant[] {
  const mutants: Mutant[] = [];
  /** Literals that stay as they are: types, tagged templates, names of modules and of properties. */
  const skipped = new Set<unknown>();

  const add = (operator: string, { start, end }: { start: number; end: number }, after: string) => {
    const line = text.slice(0, start).split('\n').length;
    mutants.push({ file, line, operator, start, before: text.slice(start, end), after });
  };

  const negate = (test: ESTree.Expression) => {
    // For `a === b`, `a !== b` and `!a`, another mutant is the negation.
    const isSwapped = test.type === 'BinaryExpression' && /^[!=]==$/.test(test.operator);
    if (!isSwapped && test.type !== 'UnaryExpression')
      add('condition', test, `!(${text.slice(test.start, test.end)})`);
  };

  const swap = ({ left, operator, right }: ESTree.BinaryExpression | ESTree.LogicalExpression) => {
    const other = swapped[operator];
    const isText = [left, right].some((side) => isString(side) || side.type === 'TemplateLiteral');
    if (other === undefined || (isText && operator === '+')) return;
    const between = { start: left.end, end: right.start };
    add('operator', between, text.slice(between.start, between.end).replace(operator, other));
  };

  const leaveOut = (operator: string, { start, end }: { start: number; end: number }) => {
    const [comma = ''] = /^\s*,/.exec(text.slice(end)) ?? [];
    add(operator, { start, end: end + comma.length }, '');
  };

  const skipSource = ({ source }: { source: unknown }) => skipped.add(source);

  new Visitor({
    ImportDeclaration: skipSource,
    ImportExpression: skipSource,
    ExportNamedDeclaration: skipSource,
    ExportAllDeclaration: skipSource,
    ImportAttribute: ({ value }) => skipped.add(value),
    TSLiteralType: ({ literal }) => skipped.add(literal),
    Property: ({ key }) => skipped.add(key),
    TSPropertySignature: ({ key }) => skipped.add(key),
    TaggedTemplateExpression: ({ quasi }) => skipped.add(quasi),
    JSXAttribute({ name, value }) {
      if (name.name !== 'class' || value === null) return;
      add('class', value, "''");
      skipped.add(value);
    },
    ExpressionStatement(statement) {
      add('statement', statement, ';');
      const { expression } = statement;
      if (expression.type === 'AwaitExpression')
        add('await', { start: expression.start, end: expression.argument.start }, '');
    },
    IfStatement(statement) {
      if (statement.alternate === null) add('statement', statement, ';');
      negate(statement.test);
    },
    WhileStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    UnaryExpression(expression) {
      if (expression.operator === '!')
        add('condition', expression, text.slice(expression.argument.start, expression.argument.end));
    },
    BinaryExpression: swap,
    LogicalExpression(expression) {
      swap(expression);
      if (expression.operator === '??')
        add('default', { start: expression.start, end: expression.right.start }, '');
    },
    ObjectExpression({ properties }) {
      for (const property of properties)
        if (property.type === 'SpreadElement' || !isMessage(property.value)) leaveOut('property', property);
    },
    ArrayExpression({ elements }) {
      for (const element of elements) if (element !== null) leaveOut('element', element);
    },
    Literal(literal) {
      if (skipped.has(literal)) return;
      const { value } = literal;
      if (isMessage(literal)) add('text of a message', literal, "''");
      else if (typeof value === 'string') add('string', literal, value === '' ? "'x'" : "''");
      else if (typeof value === 'boolean') add('boolean', literal, `${!value}`);
      else if (typeof value === 'number') add('number', literal, `${value < 10 ? value + 1 : value * 10}`);
      else if (typeof value === 'bigint')
        add('number', literal, `${value < 10n ? value + 1n : value * 10n}n`);
    },
    TemplateLiteral(literal) {
      if (!skipped.has(literal)) add(isMessage(literal) ? 'text of a message' : 'string', literal, "''");
    },
    CallExpression({ callee }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const isLog = /\blog(ger)?$/i.test(text.slice(callee.object.start, callee.object.end));
      if (isLog && /^(debug|info|warn|error|fatal)$/.test(callee.property.name))
        add('level of a log line', callee.property, 'trace');
    },
  }).visit(parseSync(file, text).program);
  return mutants;
}

function isString(node: ESTree.Node): node is ESTree.StringLiteral {
  return node.type === 'Literal' && typeof node.value === 'string';
}

/** A text with a blank is for people, unless it is SQL. */
function isMessage(node: ESTree.Node): boolean {
  const isTemplate = node.type === 'TemplateLiteral';
  if (!isTemplate && !isString(node)) return false;
  const text = isTemplate ? node.quasis.map(({ value }) => value.raw).join('') : node.value;
  return text.includes(' ') && !/^(begin|pragma|select|set|lock) /i.test(text);
}

/** @returns mutants in an order that depends on the seed and on each mutant alone: edits of other files change nothing */
export function shuffleMutants<M extends Mutant>(mutants: readonly M[], seed: string): M[] {
  const rank = ({ file, operator, before, start }: M) =>
    createHash('sha256').update(`${seed} ${file} ${operator} ${before} ${start}`).digest('hex');
  const ranks = new Map(mutants.map((mutant) => [mutant, rank(mutant)]));
  return mutants.toSorted((one, other) => (`${ranks.get(one)}` < `${ranks.get(other)}` ? -1 : 1));
}
