import type { NewPet } from '@petstore/contract';

/** A pet to add and the text of everything that its record says, or why there is no pet. */
export type Content = { pet: NewPet; text: string } | { problem: string };

/** A line of NDJSON, or a row of CSV, which may have several lines. */
export interface FileRecord {
  /** The number of the line on which the record begins. */
  line: number;
  content: Content;
  /** What a file of refused records begins with. */
  refusedHeader: string;
  /**
   * Writes the record for a file of refused records: its line, the reason, and the record as it stands. An import of
   * the corrected file ignores the line and the reason.
   */
  formatRefused(reason: string): string;
}
