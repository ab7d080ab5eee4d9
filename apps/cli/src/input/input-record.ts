import { hash } from 'node:crypto';
import { NewPet } from '@petstore/contract';
import { CommandError, exitCodes } from '../exit-code.ts';
import { describeIssues } from '../output/describe-issues.ts';

/** A pet to add, or why there is none. */
export type Content = { pet: NewPet } | { problem: string; code?: string };

/** One record of a file: a line of NDJSON, or a row of CSV, which may have several lines. */
export interface RawRecord {
  /** The line on which it begins. */
  line: number;
  lastLine: number;
  /** How many bytes of the file end with it. */
  end: number;
  /** As it stands in the file. */
  text: string;
  /** Parses and validates it. Not called for records that are skipped. */
  read(): Content;
}

/** How far a file has been read. */
export interface Position {
  line: number;
  bytes: number;
  /** A digest of everything up to here. */
  digest: string;
}

export interface InputRecord extends RawRecord {
  after: Position;
}

/** Where an import begins. @param seed another one gives all records other digests */
export const beginning = (seed: string): Position => ({ line: 0, bytes: 0, digest: seed });

/**
 * Gives each record a digest of itself and all records before it. It is the record's Idempotency-Key: it is the
 * same whenever the same file is read, under any name or from a pipe, and another for each record, even where
 * two lines are equal.
 */
export async function* withDigests(
  records: AsyncIterable<RawRecord>,
  seed: string,
): AsyncGenerator<InputRecord> {
  let digest = seed;
  for await (const record of records) {
    digest = hash('sha256', `${digest}\n${record.text}`, 'base64url');
    yield Object.assign(record, { after: { line: record.lastLine, bytes: record.end, digest } });
  }
}

/**
 * The records after a position, which an earlier run reached.
 *
 * @throws CommandError when the input is not the one that it read
 */
export async function* skipTo(
  position: Position,
  records: AsyncIterable<InputRecord>,
): AsyncGenerator<InputRecord> {
  let isReached = position.bytes === 0;
  for await (const record of records) {
    if (record.after.bytes <= position.bytes) {
      isReached = record.after.digest === position.digest && record.lastLine === position.line;
    } else {
      if (!isReached) break;
      yield record;
    }
  }
  if (!isReached) {
    throw new CommandError('This is not the input that the journal tells of', exitCodes.notResumable);
  }
}

/** Validates what a record says by the contract. */
export function readNewPet(value: unknown): Content {
  const result = NewPet.safeParse(value);
  return result.success ? { pet: result.data } : { problem: describeIssues(result.error) };
}
