/** The names of an object's members, with their type: what is true of a table that is written out. */
export function keysOf<Table extends object>(table: Table): (keyof Table)[] {
  return Object.keys(table).filter((name): name is keyof Table & string => name in table);
}
