import { createHash } from 'node:crypto';
import { DatabaseFault } from '../database-fault.ts';
import type { CopyPlan, Table } from './copy-plan.ts';
import type { CopySide, Role, Row } from './copy-side.ts';

interface Progress {
  begin(step: string): void;
  /** An error that it throws ends the work. */
  update(share: number): void;
}

/** What both sides have of a table. */
interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** SHA-256 of the rows in the order of their keys, each as a line of JSON, in hexadecimal. */
  readonly digest: string;
}

/**
 * Copies all rows, compares what both sides have then, and commits if it is the same. A target that has rows is only
 * compared: so a copy whose end was not seen can be started again.
 *
 * @throws DatabaseFault when the target has other rows, or the schemas differ; nothing is written then
 */
export async function copyTables(
  source: CopySide,
  target: CopySide,
  { migrations, tables }: CopyPlan,
  progress: Progress,
): Promise<CopiedTable[]> {
  await compareSchema('source', source, migrations);
  await compareSchema('target', target, migrations);
  const total = sum(await countRows(source, tables));
  const present = await countRows(target, tables);
  const isEmpty = sum(present) === 0;
  const occupied = tables.flatMap(({ name }, index) =>
    present[index] ? `${present[index]} in ${name}` : [],
  );
  const refusal = `the target has rows of its own (${occupied.join(', ')}), and is left as it is: it must be empty`;
  if (!isEmpty && sum(present) !== total) throw new DatabaseFault(refusal);

  const meter = createMeter(progress, total);
  meter.begin(isEmpty ? 'Copying' : 'Reading the source');
  const copied = await readAll(source, tables, async (table, rows) => {
    if (isEmpty) await target.insert(table, rows);
    meter.add(rows.length);
  });
  meter.begin('Comparing');
  const found = await readAll(target, tables, async (_table, rows) => {
    // Where the connection was lost, the source may have taken writes since.
    await source.query('select 1');
    meter.add(rows.length);
  });
  for (const [index, { name, digest }] of found.entries()) {
    if (digest === copied[index]?.digest) continue;
    throw new DatabaseFault(isEmpty ? `the copy of ${name} differs: the target is left as it was` : refusal);
  }
  if (isEmpty) await target.commit();
  return found;
}

async function compareSchema(role: Role, side: CopySide, migrations: readonly string[]): Promise<void> {
  const found = (await side.query('select name from kysely_migration order by name')).flat();
  if (String(found) === String(migrations)) return;
  throw new DatabaseFault(
    `the ${role} has the schema ${found.at(-1)}, and this release ${migrations.at(-1)}: bring it up to date, or use its release`,
  );
}

async function countRows(side: CopySide, tables: readonly Table[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { name } of tables) {
    const [row = []] = await side.query(`select count(*) from "${name}"`);
    counts.push(Number(row[0]));
  }
  return counts;
}

async function readAll(
  side: CopySide,
  tables: readonly Table[],
  visit: (table: Table, rows: readonly Row[]) => Promise<void>,
): Promise<CopiedTable[]> {
  const contents: CopiedTable[] = [];
  for (const table of tables) {
    const hash = createHash('sha256');
    let count = 0;
    for await (const rows of side.read(table)) {
      hash.update(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      count += rows.length;
      await visit(table, rows);
    }
    contents.push({ name: table.name, rows: count, digest: hash.digest('hex') });
  }
  return contents;
}

/** Says which share of all rows a step is through. */
function createMeter(progress: Progress, total: number) {
  let done = 0;
  return {
    begin(step: string) {
      done = 0;
      progress.begin(step);
    },
    add(rows: number) {
      done += rows;
      progress.update(total === 0 ? 1 : done / total);
    },
  };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
