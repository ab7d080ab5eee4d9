/** How much of a version a change needs (semantic versioning), from the least to the most. */
export const levels = ['none', 'patch', 'minor', 'major'] as const;
export type Level = (typeof levels)[number];

/** One difference between two releases of the contract. */
export interface Change {
  level: Level;
  /** A sentence: `name may no longer be longer than 50`. */
  what: string;
  /** Where it is seen: `the body of POST /pets`. */
  where: string;
}

const rank = ({ level }: { level: Level }) => levels.indexOf(level);

/** The highest level of the changes. */
export function highestLevel(changes: readonly { level: Level }[]): Level {
  return levels[Math.max(0, ...changes.map(rank))] ?? 'none';
}

/** Whether a version of this level may contain changes of the other. */
export function covers(declared: Level, needed: Level): boolean {
  return levels.indexOf(declared) >= levels.indexOf(needed);
}

/** A line for each cause, the greatest first: a change of a schema is seen wherever the schema is used. */
export function describeChanges(changes: readonly Change[]): string[] {
  const causes = Map.groupBy(changes, ({ what }) => what);
  return [...causes]
    .map(([what, same]) => ({ what, level: highestLevel(same), same }))
    .toSorted((one, other) => rank(other) - rank(one))
    .map(({ what, level, same }) => {
      const places = same.filter((change) => change.level === level).map(({ where }) => where);
      const more = places.length > 1 ? `, and ${places.length - 1} more` : '';
      return `${level.padEnd(5)} ${what} (${places[0]}${more})`;
    });
}
