/** stdout and stderr, written synchronously. */
import { fstatSync, statSync, writeSync } from 'node:fs';

/** Same as `devNull` of `node:os`, without loading that module. */
const NULL_DEVICE = process.platform === 'win32' ? String.raw`\\.\nul` : '/dev/null';

/** Thrown by a write to a pipe without a reader. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** The number of bytes that a process has written to each of its streams. */
export type WrittenBytes = Readonly<Record<1 | 2, number>>;

/** The value before the first write. */
export const NOTHING_WRITTEN: WrittenBytes = { 1: 0, 2: 0 };

/** stdout or stderr. Writes are synchronous and unbuffered. */
export class OutputStream {
  readonly fd: 1 | 2;
  /** Receives a copy of everything that is written or skipped, if set. */
  copyTo: ((bytes: Uint8Array) => void) | null = null;
  /** The cached value of `isTerminal`; null until it is requested. */
  #terminal: boolean | null = null;
  #writtenBytes = 0;
  #bytesToSkip: number;

  /** Skips the first `alreadyWritten` bytes of the output: the cached result wrote them before it failed. */
  constructor(fd: 1 | 2, alreadyWritten = 0) {
    this.fd = fd;
    this.#bytesToSkip = alreadyWritten;
  }

  /** Bytes written to the stream, without skipped ones. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Writes all data, and waits for a slow reader. Throws `ClosedPipe` if there is no reader. */
  write(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.copyTo?.(bytes);
    const skipped = Math.min(this.#bytesToSkip, bytes.length);
    this.#bytesToSkip -= skipped;
    for (let position = skipped; position < bytes.length; ) {
      const written = this.#writeSome(bytes.subarray(position));
      this.#writtenBytes += written;
      position += written;
    }
  }

  /** True if a person sees the output. */
  get isTerminal(): boolean {
    this.#terminal ??= this.#mayBeTerminal() && isTerminal(this.fd);
    return this.#terminal;
  }

  /** Columns of the terminal; null if the stream is not a terminal, or if they are unknown. */
  get width(): number | null {
    if (!this.isTerminal) return null;
    const stream = this.fd === 1 ? process.stdout : process.stderr;
    return stream.columns > 0 ? stream.columns : null;
  }

  /** Writes some of `bytes`, and returns their number: 0 if the reader is slow. */
  #writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.fd, bytes);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EPIPE') throw new ClosedPipe();
      if (code !== 'EAGAIN') throw error;
      // The pipe is non-blocking and full: wait for the reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      return 0;
    }
  }

  /** Returns false if the stream is certainly not a terminal: a file, a pipe, or the null device. */
  #mayBeTerminal(): boolean {
    try {
      const stat = fstatSync(this.fd);
      return stat.isCharacterDevice() && stat.rdev !== statSync(NULL_DEVICE, { throwIfNoEntry: false })?.rdev;
    } catch {
      return false;
    }
  }
}

/** Slow: loads many modules of Node. */
function isTerminal(fd: 1 | 2): boolean {
  // A stream that is neither a terminal nor a pipe lacks this field.
  return (fd === 1 ? process.stdout : process.stderr).isTTY === true;
}
