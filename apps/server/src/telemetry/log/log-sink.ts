import { closeSync, constants, fstatSync, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

/** What log lines are written to. Writing never blocks the event loop. */
export interface LogSink {
  /** Bytes of one write that are never mixed with what other processes write to the same place. */
  chunkBytes: number;
  /**
   * Writes bytes.
   *
   * @returns how many of them were written
   * @throws the system's error: none was written, and a later attempt may succeed
   */
  write(bytes: Buffer): Promise<number>;
  close(): void;
}

export const STDOUT = 1;

/** PIPE_BUF of Linux: up to it a write to a pipe is atomic (POSIX, write). */
const PIPE_CHUNK_BYTES = 4_096;

/** A write takes a turn of the event loop: what a busy service logs in one must fit. */
const FILE_CHUNK_BYTES = 256 * 1_024;

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;

/** Opens standard output, be it a file, a pipe, a socket or a terminal. */
export function openStdout(): LogSink {
  const stdout = fstatSync(STDOUT);
  if (stdout.isFile()) return createFileSink(STDOUT);
  if (stdout.isFIFO() || stdout.isSocket()) return createPipeSink();
  return createFileSink(openNonBlocking());
}

/** Writes to a file in a thread beside the event loop. */
function createFileSink(descriptor: number): LogSink {
  const writeBytes = promisify(write);
  return {
    chunkBytes: FILE_CHUNK_BYTES,
    write: async (bytes) => (await writeBytes(descriptor, bytes)).bytesWritten,
    close() {
      if (descriptor !== STDOUT) closeSync(descriptor);
    },
  };
}

/**
 * Writes to a pipe or a socket on the event loop: if it is not read, a thread that writes would never end, and
 * neither would the process. A broken pipe is opened again, because it may have another reader by then.
 */
function createPipeSink(): LogSink {
  let socket: Socket | undefined;
  const open = () => {
    const opened = new Socket({ fd: openNonBlocking(), readable: false, writable: true });
    // The callback of the failed write reports them.
    opened.on('error', () => {});
    return opened;
  };
  return {
    chunkBytes: PIPE_CHUNK_BYTES,
    write(bytes) {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      if (socket === undefined || socket.destroyed) socket = open();
      socket.write(bytes, (error) => (error ? reject(error) : resolve(bytes.length)));
      return promise;
    },
    close: () => socket?.destroy(),
  };
}

/**
 * Opens standard output once more, not blocking: setting that on the given descriptor would change it for
 * other processes that share it. Falls back to the given one where the system does not allow that.
 */
function openNonBlocking(): number {
  try {
    return openSync(`/proc/self/fd/${STDOUT}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return STDOUT;
  }
}
