/** Looking at a `.crate` that someone sent, without unpacking it. Cargo Book: cargo-package(1). */
import { createGunzip, type Gunzip } from 'node:zlib';
import { TsregError } from '../errors/error.ts';
import { toByteString } from '../files/byte-path.ts';
import { checkFileName } from './check-file-name.ts';
import type { TarEntry } from './read-tar.ts';
import { type TarConsumer, TarStream } from './tar-stream.ts';

/** What an archive may be. */
export interface InspectOptions {
  /** The one folder that everything must be in: `name-version`. */
  readonly topFolder: string;
  /** Of the contents of all files and their headers. */
  readonly maxUnpackedBytes: number;
  readonly maxFiles: number;
}

/** What was in it. */
export interface InspectedCrate {
  /** Paths of files, seen from the top folder. */
  readonly files: ReadonlySet<string>;
  /** The text of `Cargo.toml`. */
  readonly manifest: string;
}

const MANIFEST = 'Cargo.toml';
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAX_PATH_CHARS = 1000;
const MAX_HEADER_BYTES = 64 * 1024;
const CHUNK = 64 * 1024;

/**
 * Takes a `.crate` as its bytes come and keeps nothing of it but names and `Cargo.toml`. Everything throws `archive`
 * for an archive that could do harm or is none, and `limit` for one that is too large, as soon as that is known.
 */
export class CrateInspector {
  readonly #gunzip: Gunzip;
  readonly #listing: Listing;
  readonly #tar: TarStream;
  readonly #maxUnpackedBytes: number;
  readonly #done: Promise<void>;
  #unpackedBytes = 0;
  #problem: Error | null = null;

  constructor(options: InspectOptions) {
    this.#listing = new Listing(options);
    this.#maxUnpackedBytes = options.maxUnpackedBytes;
    this.#tar = new TarStream(this.#listing, MAX_HEADER_BYTES);
    this.#gunzip = createGunzip({ chunkSize: CHUNK });
    this.#done = new Promise((resolve) => {
      this.#gunzip.on('data', (chunk: Buffer) => this.#take(chunk));
      this.#gunzip.once('end', resolve);
      this.#gunzip.once('close', resolve);
      this.#gunzip.once('error', (error) => {
        this.#problem ??= archiveError(`the archive is not gzip, or damaged: ${error.message}`);
        resolve();
      });
    });
  }

  /** Resolves when the bytes have been looked at. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#problem === null && !this.#gunzip.destroyed) {
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#gunzip.write(chunk, () => resolve());
        }),
        this.#done,
      ]);
    }
    if (this.#problem !== null) throw this.#problem;
  }

  /** To be called after the last byte. */
  async finish(): Promise<InspectedCrate> {
    this.#gunzip.end();
    await this.#done;
    if (this.#problem !== null) throw this.#problem;
    this.#tar.finish();
    return this.#listing.result();
  }

  /** Stops looking; fine at any time. */
  close(): void {
    this.#gunzip.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#problem !== null) return;
    try {
      this.#unpackedBytes += chunk.length;
      if (this.#unpackedBytes > this.#maxUnpackedBytes) {
        throw tooMuch(`the archive unpacks to more than ${this.#maxUnpackedBytes} bytes`);
      }
      const used = this.#tar.take(chunk);
      // Some programs read on behind the end.
      if (chunk.subarray(used).some((byte) => byte !== 0)) {
        throw archiveError('the archive goes on behind its end');
      }
    } catch (error) {
      this.#problem = error instanceof Error ? error : new Error(String(error));
      this.#gunzip.destroy();
    }
  }
}

/** Checks entries one by one. */
class Listing implements TarConsumer {
  readonly #topFolder: string;
  readonly #maxFiles: number;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  #entries = 0;
  #manifest: Buffer[] | null = null;
  #isManifest = false;

  constructor({ topFolder, maxFiles }: InspectOptions) {
    this.#topFolder = topFolder;
    this.#maxFiles = maxFiles;
  }

  begin(entry: TarEntry): void {
    this.#entries += 1;
    if (this.#entries > this.#maxFiles) throw tooMuch(`the archive has more than ${this.#maxFiles} files`);
    if (entry.kind !== 'file' && entry.kind !== 'directory') {
      throw archiveError(`\`${shown(entry.path)}\` is neither a file nor a folder`);
    }
    const path = this.#pathInPackage(entry);
    this.#isManifest = path === MANIFEST && entry.kind === 'file';
    if (entry.kind === 'directory') {
      if (entry.size > 0) throw archiveError(`the folder \`${path}\` has content`);
      this.#folders.add(path);
      return;
    }
    if (this.#files.has(path)) throw archiveError(`\`${path}\` is in the archive twice`);
    this.#files.add(path);
    if (this.#isManifest) {
      if (entry.size > MAX_MANIFEST_BYTES)
        throw tooMuch(`\`${MANIFEST}\` is too large: more than ${MAX_MANIFEST_BYTES} bytes`);
      this.#manifest = [];
    } else if (path.toLowerCase() === MANIFEST.toLowerCase()) {
      throw archiveError(`\`${path}\` must be named \`${MANIFEST}\``);
    }
  }

  content(part: Buffer): void {
    // The stream may use its memory again.
    if (this.#isManifest) this.#manifest?.push(Buffer.from(part));
  }

  end(): void {
    this.#isManifest = false;
  }

  result(): InspectedCrate {
    if (this.#manifest === null) throw archiveError(`the archive has no \`${MANIFEST}\``);
    for (const path of [...this.#files, ...this.#folders]) {
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
        const parent = path.slice(0, at);
        if (this.#files.has(parent)) throw archiveError(`\`${parent}\` is both a file and a folder`);
      }
      if (this.#folders.has(path) && this.#files.has(path)) {
        throw archiveError(`\`${path}\` is both a file and a folder`);
      }
    }
    return { files: this.#files, manifest: decodeText(Buffer.concat(this.#manifest)) };
  }

  /** Empty for the top folder itself. */
  #pathInPackage({ path, kind }: TarEntry): string {
    const written = kind === 'directory' ? path.replace(/\/$/, '') : path;
    if (written.length > MAX_PATH_CHARS) throw archiveError('a path in the archive is too long');
    const [top, ...rest] = written.split('/');
    const isInside = top === this.#topFolder && (rest.length > 0 || kind === 'directory');
    const isPlain = rest.every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isInside || !isPlain) {
      throw archiveError(`\`${shown(path)}\` is not in the folder \`${this.#topFolder}\``);
    }
    const inPackage = rest.join('/');
    // What could not be text has become a replacement character.
    if (/[\0-\x1f\x7f\ufffd]/.test(inPackage)) {
      throw archiveError(`\`${shown(inPackage)}\` has characters that are not allowed`);
    }
    for (const part of rest) checkFileName(toByteString(part), ignoreWarning);
    return inPackage;
  }
}

/** Names that one system keeps for itself are the package's own affair. */
function ignoreWarning(): void {}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw archiveError(`\`${MANIFEST}\` is not UTF-8`);
  }
}

/** A path that can be printed. */
function shown(path: string): string {
  return path.slice(0, MAX_PATH_CHARS).replaceAll(/[\0-\x1f\x7f]/g, '\ufffd');
}

function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}

function tooMuch(message: string): TsregError {
  return new TsregError(message, { code: 'limit' });
}
