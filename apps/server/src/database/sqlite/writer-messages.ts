import type { Addition, Appended } from '../database.ts';

/** Work for the thread that writes. It replies to each message in turn, but for `rollback`. */
export type WriterTask =
  | { readonly kind: 'append'; readonly additions: readonly Addition[] }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | { readonly kind: 'run'; readonly sql: string; readonly values: readonly unknown[] };

export type WriterMessage = WriterTask | { readonly kind: 'close' };

/** What the thread replies: the outcome of an append, the rows of a statement, nothing, or why it failed. */
export interface WriterReply {
  readonly appended?: readonly Appended[];
  readonly columns?: readonly string[];
  readonly rows?: readonly unknown[][];
  readonly error?: { readonly message: string; readonly code: string | undefined };
}
