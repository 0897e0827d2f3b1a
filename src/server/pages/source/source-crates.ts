/** The crates whose source code the pages show: those of this registry, or those that are cached from the upstream. */
import type { PublishMetadata } from '../../../core/protocol/publish-metadata.ts';
import type { SourceRequest } from '../../source/crate-sources.ts';
import type { DownloadableVersion } from '../../store/values.ts';
import type { WebPageRequest } from '../services/page-handlers.ts';
import type { Html, HtmlValue } from '../shared/html.ts';

/** A crate as pages about its source code need it. */
export interface SourceCrate {
  readonly name: string;
  /** Whether the reader can compare two of its versions. */
  readonly canCompare: boolean;
  /** Returns the archive of the version in the path. Throws `PageError` if the reader cannot see it. */
  archive(): Promise<DownloadableVersion>;
  /** Returns a page of the crate. */
  layout(content: SourceTabContent): Html;
}

/** A crate at the version whose archive the page shows. */
export interface SourceView extends Omit<SourceCrate, 'archive'> {
  readonly version: DownloadableVersion;
}

/** The selected tab of a page about source code, and its content. */
export interface SourceTabContent {
  readonly tab: 'source' | 'versions';
  /** Replaces the title that follows from the tab. */
  readonly title?: string;
  readonly content: HtmlValue;
}

/** A version to compare. */
export interface ComparedVersion extends DownloadableVersion {
  readonly metadata: Pick<PublishMetadata, 'dependencies' | 'features' | 'rustVersion'>;
}

/** The versions of a crate to select from. */
export interface ComparableVersions {
  readonly highest: string;
  /** In descending order, without those that exceed a limit. */
  readonly choices: readonly string[];
}

/** Finds crates. All methods throw `PageError` if a crate or version does not exist, or if readers cannot see it. */
export interface SourceCrates {
  /** Shows a page of the crate in the path; redirects other spellings of its name. */
  show(request: WebPageRequest, makePage: (crate: SourceCrate) => Promise<Html>): Promise<Response>;
  findArchive(name: string, version: string, request: SourceRequest): Promise<DownloadableVersion>;
  findCompared(name: string, version: string, request: SourceRequest): Promise<ComparedVersion>;
  listComparable(name: string): Promise<ComparableVersions>;
}
