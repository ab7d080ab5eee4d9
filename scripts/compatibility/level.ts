/** How much of a version a change needs (semantic versioning), from the least to the most. */
export const levels = ['none', 'patch', 'minor', 'major'] as const;
export type Level = (typeof levels)[number];

/** One difference between two releases of the contract. */
export interface Change {
  level: Level;
  /** Where it is, as a reader of the contract would say. */
  where: string;
  /** What it is. */
  what: string;
}

/** The highest level of the changes. */
export function highestLevel(changes: readonly Change[]): Level {
  const ranks = changes.map(({ level }) => levels.indexOf(level));
  return levels[Math.max(0, ...ranks)] ?? 'none';
}

/** Whether a version of this level may contain changes of the other. */
export function covers(declared: Level, needed: Level): boolean {
  return levels.indexOf(declared) >= levels.indexOf(needed);
}
