import { closeSync, constants, fstatSync, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

/** Where the log leaves the process. Writing to it never holds up the event loop. */
export interface Outlet {
  /** Bytes that arrive in one piece, whoever else writes there. */
  pieceBytes: number;
  /**
   * Writes bytes.
   *
   * @returns how many of them were taken
   * @throws the system's error: none was taken, and a later attempt may go better
   */
  write(bytes: Buffer): Promise<number>;
  close(): void;
}

const STDOUT = 1;

/** Up to PIPE_BUF bytes are never mixed with what others write to the same pipe (POSIX, write). */
const PIPE_PIECE_BYTES = 4_096;

/** A write takes a turn of the event loop: what was logged in one has to fit, however much goes on. */
const FILE_PIECE_BYTES = 256 * 1_024;

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;

/** Standard output, whatever it is: a file, a pipe, a socket, a terminal. */
export function openStdout(): Outlet {
  const stdout = fstatSync(STDOUT);
  if (stdout.isFile()) return fileOutlet(STDOUT);
  if (stdout.isFIFO() || stdout.isSocket()) return pipeOutlet();
  return fileOutlet(openWithoutWaiting());
}

/** A file takes bytes in a thread beside the event loop. */
function fileOutlet(descriptor: number): Outlet {
  const writeBytes = promisify(write);
  return {
    pieceBytes: FILE_PIECE_BYTES,
    write: async (bytes) => (await writeBytes(descriptor, bytes)).bytesWritten,
    close() {
      if (descriptor !== STDOUT) closeSync(descriptor);
    },
  };
}

/**
 * A pipe that nobody reads would keep such a thread for good, and with it the end of the process; the
 * event loop can wait for it. One that broke is opened again: its next reader may be there.
 */
function pipeOutlet(): Outlet {
  let socket: Socket | undefined;
  const open = () => {
    const opened = new Socket({ fd: openWithoutWaiting(), readable: false, writable: true });
    // The write that failed says so.
    opened.on('error', () => {});
    return opened;
  };
  return {
    pieceBytes: PIPE_PIECE_BYTES,
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
 * Standard output in a way of our own, whose refusal to wait does not touch other processes that were
 * given the same; standard output itself where the system does not know that, or does not allow it.
 */
function openWithoutWaiting(): number {
  try {
    return openSync(`/proc/self/fd/${STDOUT}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return STDOUT;
  }
}
