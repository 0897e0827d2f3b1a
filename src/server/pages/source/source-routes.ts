/** `/crates/NAME/VERSION/source`: the source code of versions. */
import { Hono } from 'hono';
import { matchesEtag } from '../../http/conditional.ts';
import { clientNetwork, routeParam, type HttpContext, type HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { ORIGINAL_MANIFEST, type SourceFile } from '../../source/crate-files.ts';
import type { CrateSources, SourceRequest } from '../../source/crate-sources.ts';
import { decodeContent } from '../../source/file-content.ts';
import { hasHiddenCharacters, shownLength } from '../../source/hidden-characters.ts';
import type { DownloadableVersion } from '../../store/values.ts';
import type { CratePages } from '../crate/crate-routes.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import type { Html } from '../shared/html.ts';
import { MAX_QUERY_CHARS } from '../shared/layout.ts';
import { PageError, type PageHandlers, type WebPageRequest } from '../services/page-handlers.ts';
import { OwnSourceCrates } from './own-source-crates.ts';
import { SourceCode } from './source-code.ts';
import type { SourceCrates, SourceView } from './source-crates.ts';
import { FILE_TOO_LARGE, noSuchFile, withSourceErrors } from './source-errors.ts';
import { sourceFilePage, type ShownContent } from './source-file-page.ts';
import { sourcePage } from './source-page.ts';
import { rawHeaders, rawResponse } from './source-raw.ts';
import { linesOf } from '../code/source-text.ts';
import { folderOf } from './source-tree.ts';

/** Larger files are not shown, but can be downloaded. */
const MAX_SHOWN_BYTES = 512 * 1024;
const MAX_SHOWN_LINES = 20_000;
/** Characters of a page that a file may need; see `shownLength`. */
const MAX_SHOWN_CHARS = 1024 * 1024;
/** Larger files are not sent. */
const MAX_SENT_BYTES = 32 * 1024 * 1024;
/** Components of the path before that of the file: an empty one, `crates`, the name, the version and `source`. */
const COMPONENTS_BEFORE = 5;

/** The services of pages about source code. */
export interface SourceServices {
  readonly context: ServerContext;
  readonly crates: CratePages;
  readonly sources: CrateSources;
}

/** The services of `SourcePages` and of comparisons. */
export interface SourcePageServices extends Pick<SourceServices, 'context' | 'sources'> {
  readonly crates: SourceCrates;
}

/** Returns the routes of `/crates/NAME/VERSION/source/…` for crates of this registry. */
export function sourceRoutes(services: SourceServices, handlers: PageHandlers): Hono<HttpEnv> {
  const pages = new SourcePages({ ...services, crates: new OwnSourceCrates(services) });
  return new Hono<HttpEnv>().get(
    '/crates/:name/:version/source/*',
    handlers.open((request) => pages.respond(request)),
  );
}

/** Returns the source request of a page request: its signal, and the network of its client as the owner. */
export function sourceRequestOf(c: HttpContext, { settings }: ServerContext): SourceRequest {
  return { signal: c.req.raw.signal, owner: clientNetwork(c, settings.trustedProxies) };
}

/** Pages and raw files of versions. */
export class SourcePages {
  readonly #services: SourcePageServices;
  readonly #code: SourceCode;

  constructor(services: SourcePageServices) {
    this.#services = services;
    this.#code = new SourceCode(services.context);
  }

  /** Responds to a request for the folder or the file in the path. Throws `PageError` if there is none. */
  respond(request: WebPageRequest): Promise<Response> {
    const { c } = request;
    return withSourceErrors(c.req.raw.signal, () =>
      c.req.query('raw') === undefined && c.req.query('download') === undefined
        ? this.#services.crates.show(request, async (crate) =>
            this.#page(c, { ...crate, version: await crate.archive() }),
          )
        : this.#raw(c),
    );
  }

  /** Shows the folder or the file in the path. */
  async #page(c: HttpContext, view: SourceView): Promise<Html> {
    const path = pathIn(c);
    const files = await this.#list(c, view.version);
    const file = fileAt(files, path);
    if (file !== undefined) {
      const hasOriginalManifest = fileAt(files, ORIGINAL_MANIFEST) !== undefined;
      const content = await this.#content(c, view.version, file);
      return sourceFilePage(view, { file, content, hasOriginalManifest });
    }
    const folder = folderOf(files, path);
    if (folder === null) throw new PageError(noSuchFile(view.version, path));
    const query = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_CHARS);
    const filesInside = path === '' ? files : files.filter((inside) => inside.path.startsWith(`${path}/`));
    const matches = filesInside.filter((inside) => inside.path.toLowerCase().includes(query.toLowerCase()));
    return sourcePage(view, { folder, query, matches });
  }

  /** Reads a file in the form that its page shows. */
  async #content(c: HttpContext, version: DownloadableVersion, file: SourceFile): Promise<ShownContent> {
    if (file.size > MAX_SHOWN_BYTES) return { kind: 'none', reason: 'too-large' };
    const decoded = decodeContent(await this.#read(c, version, file));
    if (decoded.kind === 'image') return decoded;
    if (decoded.kind === 'binary') return { kind: 'none', reason: 'binary' };
    const { text } = decoded;
    const lineCount = linesOf(text).length;
    if (lineCount > MAX_SHOWN_LINES || shownLength(text) > MAX_SHOWN_CHARS)
      return { kind: 'none', reason: 'too-large' };
    const key = `${version.checksum} ${file.path}`;
    const lines = await this.#code.render({ key, path: file.path, text });
    return { kind: 'code', lines, lineCount, hasHidden: hasHiddenCharacters(text) };
  }

  /** Sends the file in the path. */
  async #raw(c: HttpContext): Promise<Response> {
    const [name, number] = [routeParam(c, 'name'), routeParam(c, 'version')];
    const { crates, context } = this.#services;
    const version = await crates.findArchive(name, number, sourceRequestOf(c, context));
    const path = pathIn(c);
    // The checksum of the archive stands for the contents of all its files.
    const etag = `"${version.checksum}-${Buffer.from(path).toString('base64url')}"`;
    const files = await this.#list(c, version);
    const file = fileAt(files, path);
    if (file === undefined) throw new PageError(NOT_FOUND);
    if (file.size > MAX_SENT_BYTES) throw new PageError(FILE_TOO_LARGE);
    if (matchesEtag(c.req.header('if-none-match') ?? '', etag)) return c.body(null, 304, rawHeaders(etag));
    const content = await this.#read(c, version, file);
    return rawResponse(c, { path, content, etag, isDownload: c.req.query('download') !== undefined });
  }

  #list(c: HttpContext, version: DownloadableVersion): Promise<readonly SourceFile[]> {
    const { sources, context } = this.#services;
    return sources.list(version, sourceRequestOf(c, context));
  }

  async #read(
    c: HttpContext,
    version: DownloadableVersion,
    { path }: SourceFile,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { sources, context } = this.#services;
    const content = await sources.read(version, path, sourceRequestOf(c, context));
    if (content === null) throw new PageError(NOT_FOUND);
    return content;
  }
}

function fileAt(files: readonly SourceFile[], path: string): SourceFile | undefined {
  return files.find((file) => file.path === path);
}

/**
 * Returns the path of the file or folder in the address; empty for the whole archive. Throws `PageError` if malformed.
 */
function pathIn(c: HttpContext): string {
  const components = new URL(c.req.url).pathname.split('/').slice(COMPONENTS_BEFORE);
  if (components.at(-1) === '') components.pop();
  try {
    return components.map((name) => decodeURIComponent(name)).join('/');
  } catch {
    throw new PageError(NOT_FOUND);
  }
}
