/** Sends files of documentation as they are stored, without holding large ones in memory. */
import { ApiError } from '../../http/api-error.ts';
import { ClientLimit, type OverloadLimit } from '../../http/client-limit.ts';
import { compressedEtag, matchesEtag } from '../../http/conditional.ts';
import { clientAddress, type HttpContext } from '../../http/http-env.ts';
import { acceptsGzip } from '../../http/index-routes.ts';
import { PacedStreams } from '../../http/paced-streams.ts';
import type { ServerContext } from '../../server-context.ts';
import { DocumentationFiles, MAX_WHOLE_BYTES } from '../../source/documentation-files.ts';
import type { DocumentationIndex, PackedFile } from '../../source/documentation-index.ts';
import { SourceProblem } from '../../source/source-problem.ts';
import type { DocumentationBlob } from '../../store/documentation-records.ts';
import { documentationHeaders } from './documentation-headers.ts';

/** Each stream uses a connection to the object store for as long as its reader takes. Downloads need most of them. */
const MAX_STREAMS_OF_CLIENT = 16;
const OVERLOAD_STREAMS: OverloadLimit = { from: 32, max: 2 };

/**
 * The sender of all documentation. Its methods throw `SourceProblem` if a blob is missing or damaged, or if the client has
 * too many streams.
 */
export class DocumentationSender {
  readonly #context: ServerContext;
  readonly #files: DocumentationFiles;
  readonly #streams = new ClientLimit(MAX_STREAMS_OF_CLIENT, OVERLOAD_STREAMS);
  readonly #paced = new PacedStreams();

  constructor(context: ServerContext) {
    this.#context = context;
    this.#files = new DocumentationFiles(context.blobs);
  }

  /** Returns the list of files of documentation. */
  index(packed: DocumentationBlob): Promise<DocumentationIndex> {
    return this.#files.index(packed);
  }

  /** Returns a file as the response; null if the documentation has no file at `path`. */
  async send(c: HttpContext, packed: DocumentationBlob, path: string): Promise<Response | null> {
    const file = (await this.#files.index(packed)).files.get(path);
    if (file === undefined) return null;
    const isCompressed = acceptsGzip(c.req.header('accept-encoding'));
    const allowsScripts = this.#context.settings.documentation !== 'static';
    // Browsers must not combine a cached page with the policy of another mode.
    const etag = `"${packed.checksum}${allowsScripts ? '' : '-static'}"`;
    const headers = documentationHeaders(path, {
      etag: isCompressed ? compressedEtag(etag) : etag,
      allowsScripts,
    });
    if (matchesEtag(c.req.header('if-none-match') ?? '', etag)) return c.body(null, 304, headers);
    headers['Content-Length'] = String(isCompressed ? file.length : file.size);
    if (isCompressed) headers['Content-Encoding'] = 'gzip';
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    // The blob has each file compressed with gzip.
    const content = await this.#contentOf(c, packed, file);
    return c.body(isCompressed ? content : unpacked(content), 200, headers);
  }

  /** Returns a small file whole. Opens a large one: a stream that uses a scarce connection releases it at any end. */
  async #contentOf(
    c: HttpContext,
    packed: DocumentationBlob,
    file: PackedFile,
  ): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
    if (file.length <= MAX_WHOLE_BYTES) return this.#files.read(packed, file);
    const { blobs, settings } = this.#context;
    // Only an object store has signed URLs, and its connections are scarce.
    if (blobs.signedUrl === undefined) return this.#files.open(packed, file);
    const release = this.#takeConnection(clientAddress(c, settings.trustedProxies));
    try {
      return this.#paced.pass(await this.#files.open(packed, file), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Counts a stream of a client. Returns the function that releases it. */
  #takeConnection(address: string): () => void {
    try {
      return this.#streams.take(address);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new SourceProblem('busy', error.message);
    }
  }
}

function unpacked(content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const stream = content instanceof ReadableStream ? content : new Blob([content]).stream();
  return stream.pipeThrough(new DecompressionStream('gzip'));
}
