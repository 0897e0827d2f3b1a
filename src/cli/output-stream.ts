/** stdout and stderr, written at once and whole. */
import { fstatSync, statSync, writeSync } from 'node:fs';

/** As `devNull` of `node:os`, which would have to be loaded for it. */
const NULL_DEVICE = process.platform === 'win32' ? String.raw`\\.\nul` : '/dev/null';

/** Thrown by a write to a pipe that nobody reads any more. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** How many bytes a process has written to each of its streams. */
export type WrittenBytes = Readonly<Record<1 | 2, number>>;

/** Nothing so far. */
export const NOTHING_WRITTEN: WrittenBytes = { 1: 0, 2: 0 };

/** One of the two streams of the process. Nothing is buffered: what was written is out. */
export class OutputStream {
  readonly fd: 1 | 2;
  /** Receives a copy of everything that is written, if set. */
  copyTo: ((bytes: Uint8Array) => void) | null = null;
  #terminal: boolean | null = null;
  #writtenBytes = 0;
  #bytesToSkip: number;

  /** Of what is written the first `alreadyWritten` bytes are left out. */
  constructor(fd: 1 | 2, alreadyWritten = 0) {
    this.fd = fd;
    this.#bytesToSkip = alreadyWritten;
  }

  /** How many bytes the stream has taken. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Writes everything, waiting for a slow reader. */
  write(data: string | Uint8Array): void {
    let rest = typeof data === 'string' ? Buffer.from(data) : data;
    this.copyTo?.(rest);
    const skipped = Math.min(this.#bytesToSkip, rest.length);
    this.#bytesToSkip -= skipped;
    rest = rest.subarray(skipped);
    while (rest.length > 0) {
      const written = this.#writeSome(rest);
      this.#writtenBytes += written;
      rest = rest.subarray(written);
    }
  }

  /** True if a person reads along. */
  get isTerminal(): boolean {
    this.#terminal ??= this.#mayBeTerminal() && isTerminal(this.fd);
    return this.#terminal;
  }

  /** Columns of the terminal, null if it is none or does not say. */
  get width(): number | null {
    if (!this.isTerminal) return null;
    const stream = this.fd === 1 ? process.stdout : process.stderr;
    return stream.columns > 0 ? stream.columns : null;
  }

  #writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.fd, bytes);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EPIPE') throw new ClosedPipe();
      if (code !== 'EAGAIN') throw error;
      // Whoever made the pipe made it non-blocking: wait for the reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      return 0;
    }
  }

  /** False for what is certainly none: a file, a pipe, the null device. */
  #mayBeTerminal(): boolean {
    try {
      const stat = fstatSync(this.fd);
      return stat.isCharacterDevice() && stat.rdev !== statSync(NULL_DEVICE, { throwIfNoEntry: false })?.rdev;
    } catch {
      return false;
    }
  }
}

/** Loads much of Node to answer. */
function isTerminal(fd: 1 | 2): boolean {
  // What is neither a terminal nor a pipe has no such field.
  return (fd === 1 ? process.stdout : process.stderr).isTTY === true;
}
