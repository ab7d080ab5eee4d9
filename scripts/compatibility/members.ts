import type { Change, Level } from './changes.ts';
import { type JsonObject, objectOf } from './json.ts';

/** A JSON object of two releases. */
export interface Pair {
  before: JsonObject;
  after: JsonObject;
}

/** An object that is a member of both. */
export function memberOf({ before, after }: Pair, name: string): Pair {
  return { before: objectOf(before[name]), after: objectOf(after[name]) };
}

/** The version that a difference needs, and the rest of a sentence about its subject: `was removed`. */
export type Finding = readonly [level: Level, what: string];

/** The changes that findings about one subject are. */
export function changesOf(where: string, subject: string, findings: readonly Finding[]): Change[] {
  return findings.map(([level, what]) => ({ level, what: `${subject} ${what}`, where }));
}

/** What the differences between the members of two objects mean. */
interface MemberRules {
  where: string;
  /** What the sentences begin with: `the header ETag`. */
  subject: (name: string) => string;
  removed: (name: string, before: JsonObject) => Finding;
  added: (name: string, after: JsonObject) => Finding;
  kept: (name: string, members: Pair) => Change[];
}

/** Compares the members of two objects by their names. */
export function compareMembers({ before, after }: Pair, rules: MemberRules): Change[] {
  const { where, subject, removed, added, kept } = rules;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const members = memberOf({ before, after }, name);
    if (!(name in after)) return changesOf(where, subject(name), [removed(name, members.before)]);
    if (!(name in before)) return changesOf(where, subject(name), [added(name, members.after)]);
    return kept(name, members);
  });
}
