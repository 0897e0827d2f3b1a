import type { ServerContext } from '../../server-context.ts';
import type { SourceRequest } from '../../source/crate-sources.ts';
import type { GateReason } from '../../store/mirror-status.ts';
import type { MirroredCrate, MirroredVersion } from '../../store/mirrored-crates.ts';
import type { DownloadableVersion } from '../../store/values.ts';
import { PageError, type WebPageRequest } from '../services/page-handlers.ts';
import { type ErrorView, noSuchCrate } from '../shared/error-page.ts';
import { html, type Html } from '../shared/html.ts';
import { cratePath } from '../shared/paths.ts';
import type {
  ComparableVersions,
  ComparedVersion,
  SourceCrate,
  SourceCrates,
} from '../source/source-crates.ts';
import { sourceRequestOf } from '../source/source-routes.ts';
import { mirroredLayout } from './mirrored-frame.ts';
import type { MirroredPages } from './mirrored-pages.ts';
import { refusalNote } from './mirrored-refusal.ts';
import type { MirroredViews } from './mirrored-views.ts';

interface MirroredSourceServices {
  readonly context: ServerContext;
  readonly upstream: NonNullable<ServerContext['upstream']>;
  readonly pages: MirroredPages;
  readonly views: MirroredViews;
}

/**
 * The crates that are cached from the upstream. Readers see only archives that are in the cache and that clients could
 * download. No method sends a request.
 */
export class MirroredSourceCrates implements SourceCrates {
  readonly #services: MirroredSourceServices;

  constructor(services: MirroredSourceServices) {
    this.#services = services;
  }

  show(request: WebPageRequest, makePage: (crate: SourceCrate) => Promise<Html>): Promise<Response> {
    const { context, pages } = this.#services;
    return pages.showView(request, (view) =>
      makePage({
        name: view.crate.name,
        canCompare: view.readableVersions.length > 1,
        archive: () => this.#archiveOf(view.crate, view.version, sourceRequestOf(request.c, context)),
        layout: (content) => mirroredLayout(request.frame, view, content),
      }),
    );
  }

  async findArchive(name: string, number: string, request: SourceRequest): Promise<DownloadableVersion> {
    const { crate, version } = await this.#find(name, number);
    return this.#archiveOf(crate, version, request);
  }

  async findCompared(name: string, number: string, request: SourceRequest): Promise<ComparedVersion> {
    const { crate, version } = await this.#find(name, number);
    const archive = await this.#archiveOf(crate, version, request);
    const details = await this.#services.views.detailsOf(crate, version);
    if (details === null) throw new PageError(notComparable(archive));
    return { ...archive, metadata: { ...details, rustVersion: version.rustVersion } };
  }

  async listComparable(name: string): Promise<ComparableVersions> {
    const crate = await this.#findCrate(name);
    const choices = await this.#services.views.readableVersions(crate);
    const [highest] = choices;
    if (highest === undefined) throw new PageError(nothingCached(crate.name));
    return { highest, choices };
  }

  async #archiveOf(
    crate: MirroredCrate,
    version: MirroredVersion,
    request: SourceRequest,
  ): Promise<DownloadableVersion> {
    const found = await this.#services.upstream.cache.findArchive(crate, version, request);
    const named = { crate: crate.name, version: version.version };
    if (found.kind === 'not-cached') throw new PageError(notCached(named));
    if (found.kind === 'refused') throw new PageError(notServed(named, found.reason));
    return found.archive;
  }

  async #find(
    name: string,
    number: string,
  ): Promise<{ readonly crate: MirroredCrate; readonly version: MirroredVersion }> {
    const crate = await this.#findCrate(name);
    const version = crate.versions.find((candidate) => candidate.version === number);
    if (version === undefined) throw new PageError(noSuchCrate(crate.name, number));
    return { crate, version };
  }

  async #findCrate(name: string): Promise<MirroredCrate> {
    const crate = await this.#services.upstream.cache.find(name);
    // The cache evicted it, or somebody published it here, since the route was selected.
    if (crate === null) throw new PageError(noSuchCrate(name, null));
    return crate;
  }
}

/** A version as the texts of errors name it. */
type NamedVersion = Pick<DownloadableVersion, 'crate' | 'version'>;

function notCached({ crate, version }: NamedVersion): ErrorView {
  return {
    status: 404,
    title: 'Not cached yet',
    text: `The file of ${crate} ${version} is not cached here. Its source code appears when cargo or tsreg has downloaded this version from this registry.`,
    suggestions: html`<p><a href="${cratePath(crate, version)}">See ${crate} ${version}</a></p>`,
  };
}

function nothingCached(crate: string): ErrorView {
  return {
    status: 404,
    title: 'Not cached yet',
    text: `No file of ${crate} is cached here. You can compare versions when cargo or tsreg has downloaded them from this registry.`,
    suggestions: html`<p><a href="${cratePath(crate)}">See ${crate}</a></p>`,
  };
}

function notServed({ crate, version }: NamedVersion, reason: GateReason): ErrorView {
  return {
    status: 403,
    title: 'Not served',
    text: `The source code of ${crate} ${version} cannot be shown.`,
    suggestions: html`${refusalNote(reason)}<p><a href="${cratePath(crate, version)}">See ${crate} ${version}</a></p>`,
  };
}

function notComparable({ crate, version }: NamedVersion): ErrorView {
  return {
    status: 404,
    title: 'No comparison',
    text: `The index entry of ${crate} ${version} cannot be shown here.`,
    suggestions: html`<p><a href="${cratePath(crate, version)}">See ${crate} ${version}</a></p>`,
  };
}
