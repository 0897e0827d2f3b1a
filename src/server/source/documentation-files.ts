/** Reads the files of stored documentation. */
import { BoundedCache } from '../shared/bounded-cache.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import type { Blobs, ByteRange } from '../store/blobs.ts';
import type { PackedBlob } from '../store/documentation-records.ts';
import { decodeIndex, type DocumentationIndex, type PackedFile } from './documentation-index.ts';
import { DOCUMENTATION_LIMITS } from './documentation-limits.ts';
import { SourceProblem } from './source-problem.ts';

/** Memory for indexes. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** The files of all documentation. */
export class DocumentationFiles {
  readonly #blobs: Blobs;
  /** By the key of the blob, which never refers to other bytes. */
  readonly #indexes = new BoundedCache<DocumentationIndex>(MAX_CACHED_BYTES);
  readonly #reads = new SingleFlight<DocumentationIndex>();

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** Returns the index of a blob. Throws `SourceProblem` if the blob is missing or damaged. */
  async index(packed: PackedBlob): Promise<DocumentationIndex> {
    const { blobKey } = packed;
    const cached = this.#indexes.get(blobKey);
    if (cached !== null) return cached;
    const index = await this.#reads.run(blobKey, () => this.#readIndex(packed));
    this.#indexes.set(blobKey, index, index.memory);
    return index;
  }

  /** Opens a file of the index, compressed with gzip. Throws as `index` does. */
  open(packed: PackedBlob, { first, length }: PackedFile): Promise<ReadableStream<Uint8Array>> {
    return this.#openPart(packed, { first, last: first + length - 1 });
  }

  async #readIndex(packed: PackedBlob): Promise<DocumentationIndex> {
    const { size, indexSize } = packed;
    // Records from a foreign backup may contain any numbers.
    if (indexSize < 1 || indexSize > Math.min(size, DOCUMENTATION_LIMITS.maxIndexBytes))
      throw damaged('its index is damaged');
    const chunks: Uint8Array[] = [];
    const stream = await this.#openPart(packed, { first: size - indexSize, last: size - 1 });
    for await (const chunk of stream) chunks.push(chunk);
    const index = decodeIndex(Buffer.concat(chunks), size - indexSize);
    if (index === null) throw damaged('its index is damaged');
    return index;
  }

  async #openPart({ blobKey, size }: PackedBlob, range: ByteRange): Promise<ReadableStream<Uint8Array>> {
    const content = await this.#blobs.open(blobKey, range);
    if (content?.size === size) return content.stream;
    await content?.stream.cancel();
    throw damaged('its file is missing or has another size');
  }
}

function damaged(reason: string): SourceProblem {
  return new SourceProblem('missing', `the documentation is not readable: ${reason}`);
}
