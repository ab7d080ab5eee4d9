import { constants, type FileHandle, open } from 'node:fs/promises';
import { CommandError, exitCodes } from './exit-code.ts';
import { openRegularFile, syncFolderOf } from './files.ts';

/**
 * A file that grows while a journal tells its length. A later run cuts off what the journal does not cover, and
 * goes on. It is created when something is written, and never takes the place of another file.
 */
export class JournaledFile implements AsyncDisposable {
  readonly path: string;
  /** How much was written. */
  bytes: number;
  #file: FileHandle | undefined;
  #failure: { error: unknown } | undefined;

  private constructor(path: string, bytes: number, file: FileHandle | undefined) {
    this.path = path;
    this.bytes = bytes;
    this.#file = file;
  }

  /**
   * @param bytes the length that the journal tells
   * @param isOwn whether the journal says that the file is its own: another one is accepted while it is empty
   * @throws CommandError when the file is not the one that the journal tells of
   */
  static async open(path: string, bytes: number, isOwn: boolean): Promise<JournaledFile> {
    const file = await openRegularFile(path, constants.O_RDWR);
    try {
      const { size = 0 } = (await file?.stat()) ?? {};
      if (size > 0 && !isOwn)
        throw new CommandError(`${path} exists. Choose another name, or delete it`, exitCodes.usage);
      if (size < bytes)
        throw new CommandError(
          `${path} ${file ? `has ${size} bytes` : 'is missing'}, and its journal tells of ${bytes} bytes. ` +
            'Restore it, or delete the journal to begin again',
          exitCodes.notResumable,
        );
      await file?.truncate(bytes);
    } catch (error) {
      await file?.close();
      throw error;
    }
    return new JournaledFile(path, bytes, file);
  }

  /** Writes at the end. */
  append(text: string): Promise<void> {
    return this.#unlessFailed(async () => {
      this.#file ??= await createFile(this.path);
      const bytes = Buffer.from(text);
      for (let offset = 0; offset < bytes.length; ) {
        const position = this.bytes + offset;
        const { bytesWritten } = await this.#file.write(bytes, offset, bytes.length - offset, position);
        offset += bytesWritten;
      }
      this.bytes += bytes.length;
    });
  }

  /** Makes everything durable. */
  sync(): Promise<void> {
    return this.#unlessFailed(async () => this.#file?.sync());
  }

  /** Does nothing more after a failure. The file may lack something then, and no journal may tell that it has it. */
  async #unlessFailed(work: () => Promise<void>): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    try {
      await work();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}

async function createFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx');
  await syncFolderOf(path);
  return file;
}
