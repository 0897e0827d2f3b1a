/** Summaries as records, and back. */
import type { PackageId } from '../package-id/package-id.ts';
import { makePackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { Platform } from '../platform/platform.ts';
import { parsePlatform } from '../platform/parse-platform.ts';
import type { Dependency, DependencyKind, FeatureValue, Summary } from '../summary/summary.ts';
import { formatFeatureValue, parseFeatureValue } from '../summary/feature-value.ts';
import { parseVersion, type Version } from '../version/version.ts';
import { ANY_VERSION, parseVersionReq, type VersionReq } from '../version/requirement.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { RecordReader, RecordWriter } from './record.ts';
import { SourceReader, SourceWriter } from './source-record.ts';

const DEPENDENCY_KINDS: readonly DependencyKind[] = ['normal', 'dev', 'build'];

/** Writes summaries. */
export class SummaryWriter {
  readonly #out: RecordWriter;
  readonly #sources: SourceWriter;

  /** `names` as for a `SourceWriter`. */
  constructor(out: RecordWriter, names: { readonly keepsNames: boolean }) {
    this.#out = out;
    this.#sources = new SourceWriter(out, names);
  }

  source(source: SourceId): void {
    this.#sources.write(source);
  }

  packageId(id: PackageId): void {
    this.#out.string(id.name);
    this.#out.string(id.version.text);
    this.source(id.source);
  }

  summary(summary: Summary): void {
    const out = this.#out;
    this.packageId(summary.id);
    out.string(summary.links);
    out.string(summary.rustVersion);
    out.string(summary.checksum);
    out.int(summary.yanked ? 1 : 0);
    out.list(summary.dependencies, (dependency) => this.dependency(dependency));
    out.map(summary.features, (name, values) => {
      out.string(name);
      out.list(values, (value) => out.string(formatFeatureValue(value)));
    });
  }

  dependency(dependency: Dependency): void {
    const out = this.#out;
    out.string(dependency.name);
    out.string(dependency.nameInToml);
    out.int(
      DEPENDENCY_KINDS.indexOf(dependency.kind) |
        (dependency.renamed ? 4 : 0) |
        (dependency.optional ? 8 : 0) |
        (dependency.defaultFeatures ? 16 : 0) |
        (dependency.registry === null ? 0 : 32) |
        (dependency.req.acceptsAny ? 64 : 0),
    );
    this.source(dependency.source);
    if (dependency.registry !== null) this.source(dependency.registry);
    out.string(dependency.req.text);
    out.string(dependency.platform === null ? null : dependency.platform.text);
    out.list(dependency.features, (feature) => out.string(feature));
  }
}

/** Reads what a `SummaryWriter` wrote. Texts that occur often are parsed once. */
export class SummaryReader {
  readonly #in: RecordReader;
  readonly #sources: SourceReader;
  readonly #versions: (Version | undefined)[];
  readonly #reqs: (VersionReq | undefined)[];
  readonly #platforms: (Platform | undefined)[];
  readonly #featureValues: (FeatureValue | undefined)[];

  constructor(input: RecordReader, sources: SourceTable) {
    this.#in = input;
    this.#sources = new SourceReader(input, sources);
    const size = input.stringCount;
    this.#versions = new Array<Version | undefined>(size);
    this.#reqs = new Array<VersionReq | undefined>(size);
    this.#platforms = new Array<Platform | undefined>(size);
    this.#featureValues = new Array<FeatureValue | undefined>(size);
  }

  source(): SourceId {
    return this.#sources.read();
  }

  packageId(): PackageId {
    const name = this.#in.string();
    const version = this.#version(this.#in.stringIndex());
    return makePackageId(name, version, this.source());
  }

  summary(): Summary {
    const input = this.#in;
    const id = this.packageId();
    const links = input.optionalString();
    const rustVersion = input.optionalString();
    const checksum = input.optionalString();
    const yanked = input.int() === 1;
    const dependencies = input.list(() => this.dependency());
    const features = new Map<string, readonly FeatureValue[]>();
    for (let count = input.int(); count > 0; count -= 1) {
      const name = input.string();
      features.set(
        name,
        input.list(() => this.#featureValue(input.stringIndex())),
      );
    }
    return { id, dependencies, features, links, rustVersion, checksum, yanked };
  }

  dependency(): Dependency {
    const input = this.#in;
    const name = input.string();
    const nameInToml = input.string();
    const flags = input.int();
    const kind = DEPENDENCY_KINDS[flags & 3];
    if (kind === undefined) throw new DamagedRecordError('dependency kind');
    const source = this.source();
    const registry = (flags & 32) === 0 ? null : this.source();
    const written = input.stringIndex();
    // Prints as `*`, which does not match pre-releases.
    const req = (flags & 64) === 0 ? this.#req(written) : ANY_VERSION;
    const platform = this.#platform(input.stringIndex());
    const features = input.list(() => input.string());
    return {
      name,
      nameInToml,
      renamed: (flags & 4) !== 0,
      source,
      registry,
      req,
      kind,
      optional: (flags & 8) !== 0,
      defaultFeatures: (flags & 16) !== 0,
      features,
      platform,
    };
  }

  #version(index: number): Version {
    return (this.#versions[index] ??= parseVersion(this.#in.stringAt(index)));
  }

  #req(index: number): VersionReq {
    return (this.#reqs[index] ??= parseVersionReq(this.#in.stringAt(index)));
  }

  #platform(index: number): Platform | null {
    return index === -1 ? null : (this.#platforms[index] ??= parsePlatform(this.#in.stringAt(index)));
  }

  #featureValue(index: number): FeatureValue {
    return (this.#featureValues[index] ??= parseFeatureValue(this.#in.stringAt(index)));
  }
}
