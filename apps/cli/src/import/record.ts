import type { NewPet } from '@petstore/contract';

/** A pet to add with the text of its whole record, or the problem of the record. */
export type Content = { pet: NewPet; text: string } | { problem: string };

/** A line of NDJSON, or a row of CSV, which may have several lines. */
export interface FileRecord {
  /** The number of its first line. */
  line: number;
  content: Content;
  /** The first line of a file of refused records. */
  refusedHeader: string;
  /**
   * Formats the record for a file of refused records: its line, the reason, and the record itself. An import of the
   * corrected file ignores the line and the reason.
   */
  formatRefused(reason: string): string;
}
