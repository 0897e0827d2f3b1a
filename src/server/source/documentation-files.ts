/** Reads the files of stored documentation. */
import { BoundedCache } from '../shared/bounded-cache.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import type { Blobs, ByteRange } from '../store/blobs.ts';
import type { DocumentationBlob } from '../store/documentation-records.ts';
import { decodeIndex, type DocumentationIndex, type PackedFile } from './documentation-index.ts';
import { DOCUMENTATION_LIMITS } from './documentation-limits.ts';
import { SourceProblem } from './source-problem.ts';

/** Maximum bytes in the blob of a file that is read whole, and cached. Larger files are streamed. */
export const MAX_WHOLE_BYTES = 256 * 1024;
/** Memory for indexes, and the same for files. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
/** Approximate bytes of memory of a cached file besides its content. */
const BYTES_PER_FILE = 400;

/** The files of all documentation. */
export class DocumentationFiles {
  readonly #blobs: Blobs;
  /** By the key of the blob, which never refers to other bytes. */
  readonly #indexes = new BoundedCache<DocumentationIndex>(MAX_CACHED_BYTES);
  readonly #indexReads = new SingleFlight<DocumentationIndex>();
  /** By the key of the blob and the offset of the file in it. */
  readonly #files = new BoundedCache<Uint8Array<ArrayBuffer>>(MAX_CACHED_BYTES);
  readonly #fileReads = new SingleFlight<Uint8Array<ArrayBuffer>>();

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** Returns the index of a blob. Throws `SourceProblem` if the blob is missing or damaged. */
  async index(packed: DocumentationBlob): Promise<DocumentationIndex> {
    const { blobKey } = packed;
    const cached = this.#indexes.get(blobKey);
    if (cached !== null) return cached;
    const index = await this.#indexReads.run(blobKey, () => this.#readIndex(packed));
    this.#indexes.set(blobKey, index, index.memory);
    return index;
  }

  /** Returns a file of at most `MAX_WHOLE_BYTES` as `open` does, but whole, and from the cache if it was read before. */
  async read(packed: DocumentationBlob, file: PackedFile): Promise<Uint8Array<ArrayBuffer>> {
    const key = `${packed.blobKey} ${file.first}`;
    const cached = this.#files.get(key);
    if (cached !== null) return cached;
    const content = await this.#fileReads.run(key, async () => readAll(await this.open(packed, file)));
    this.#files.set(key, content, content.length + BYTES_PER_FILE);
    return content;
  }

  /** Opens a file of the index, compressed with gzip. Throws as `index` does. */
  open(packed: DocumentationBlob, { first, length }: PackedFile): Promise<ReadableStream<Uint8Array>> {
    return this.#openPart(packed, { first, last: first + length - 1 });
  }

  async #readIndex(packed: DocumentationBlob): Promise<DocumentationIndex> {
    const { size, indexSize } = packed;
    // Records from a foreign backup may contain any numbers.
    if (indexSize < 1 || indexSize > Math.min(size, DOCUMENTATION_LIMITS.maxIndexBytes))
      throw damaged('its index is damaged');
    const stream = await this.#openPart(packed, { first: size - indexSize, last: size - 1 });
    const index = decodeIndex(await readAll(stream), size - indexSize);
    if (index === null) throw damaged('its index is damaged');
    return index;
  }

  async #openPart(
    { blobKey, size }: DocumentationBlob,
    range: ByteRange,
  ): Promise<ReadableStream<Uint8Array>> {
    const content = await this.#blobs.open(blobKey, range);
    if (content?.size === size) return content.stream;
    await content?.stream.cancel();
    throw damaged('its file is missing or has another size');
  }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function damaged(reason: string): SourceProblem {
  return new SourceProblem('missing', `the documentation is not readable: ${reason}`);
}
