/** Manifests of unpacked packages, read without the workspace around them. */
import type { CachedPackage, PackageLocation } from '../../cache/package-pack.ts';
import { type FileFingerprint, takeFingerprint } from '../../disk/fingerprint.ts';
import { NodeFiles } from '../../disk/node-files.ts';
import { TsregError } from '../../errors/error.ts';
import { joinPath } from '../../files/path.ts';
import { packageText } from '../../metadata/package-text.ts';
import { CRATES_IO_NAME } from '../../package-id/crates-io.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import { parseSourceUrl } from '../../package-id/source-url.ts';
import { ParsedTexts } from '../../summary/parsed-texts.ts';
import { ManifestLoader } from '../../workspace/manifest-loader.ts';
import { libraryNameOf } from './package-view.ts';

/** A package that was read. */
export interface ReadPackage {
  /** The manifest as it was before it was read. */
  readonly manifest: FileFingerprint;
  readonly content: CachedPackage;
}

/** Reads packages one by one, without what other packages or configuration say. */
export class IndependentReader {
  readonly #cargoHome: string;
  readonly #sources = new SourceTable();
  readonly #parsed = new ParsedTexts();

  /** `cargoHome` is an absolute path. */
  constructor(cargoHome: string) {
    this.#cargoHome = cargoHome;
  }

  /**
   * Reads a package. null where its manifest is wrong, or anything in it depends on configuration or on another source
   * than its own and crates.io: then it has to be read with all that is known of the workspace.
   */
  read({ root, source }: PackageLocation): ReadPackage | null {
    const path = joinPath(root, 'Cargo.toml');
    const manifest = takeFingerprint(path);
    if (manifest === null) return null;
    try {
      const own = parseSourceUrl(source, this.#sources);
      const isKnown = (each: SourceId): boolean => each === own || each === this.#sources.cratesIo();
      const read = this.#loader().loadPackage(path, own);
      const isIndependent = read.summary.dependencies.every(
        (each) => isKnown(each.source) && isKnown(each.registry ?? own),
      );
      return isIndependent
        ? { manifest, content: { libraryName: libraryNameOf(read), ...packageText(read) } }
        : null;
    } catch (error) {
      // The careful reading raises it again, with its context.
      if (error instanceof TsregError || error instanceof NeedsConfiguration) return null;
      throw error;
    }
  }

  #loader(): ManifestLoader {
    const sources = this.#sources;
    const registry = (name: string): SourceId => {
      if (name === CRATES_IO_NAME) return sources.cratesIo();
      throw new NeedsConfiguration();
    };
    const [cargoHome, parsed] = [this.#cargoHome, this.#parsed];
    return new ManifestLoader({ files: new NodeFiles(), sources, cargoHome, registry, parsed });
  }
}

/** Thrown for a registry that only configuration knows. */
class NeedsConfiguration extends Error {}
