import type { DownloadableVersion, Version } from '../../store/values.ts';
import type { CratePages } from '../crate/crate-routes.ts';
import { PageError, type WebPageRequest } from '../services/page-handlers.ts';
import { crateLayout } from '../shared/crate-frame.ts';
import { noSuchCrate } from '../shared/error-page.ts';
import type { Html } from '../shared/html.ts';
import type { ServerContext } from '../../server-context.ts';
import type { ComparableVersions, SourceCrate, SourceCrates } from './source-crates.ts';

/** Maximum versions to select from. */
const MAX_CHOICES = 500;

/** The crates of this registry. */
export class OwnSourceCrates implements SourceCrates {
  readonly #crates: CratePages;
  readonly #records: ServerContext['records'];

  constructor({ context, crates }: { readonly context: ServerContext; readonly crates: CratePages }) {
    this.#crates = crates;
    this.#records = context.records;
  }

  show(request: WebPageRequest, makePage: (crate: SourceCrate) => Promise<Html>): Promise<Response> {
    return this.#crates.show(request, (_, frame, view) =>
      makePage({
        name: view.crate.name,
        canCompare: view.versionCount > 1,
        archive: () => Promise.resolve(view.version),
        layout: (content) => crateLayout(frame, view, content),
      }),
    );
  }

  findArchive(name: string, version: string): Promise<DownloadableVersion> {
    return this.findCompared(name, version);
  }

  async findCompared(name: string, number: string): Promise<Version> {
    const version = await this.#records.findVersion(name, number);
    if (version === null) throw new PageError(noSuchCrate(name, number));
    return version;
  }

  async listComparable(name: string): Promise<ComparableVersions> {
    const { items } = await this.#records.listVersions(name, { limit: MAX_CHOICES, offset: 0 });
    const choices = items.map(({ version }) => version);
    const [highest] = choices;
    if (highest === undefined) throw await this.#crates.unknownCrate(name);
    return { highest, choices };
  }
}
