/** Produces the contents of a package's archive, file by file. Cargo Book: cargo package. */
import { present } from '../../../core/errors/assert.ts';
import type { ArchiveFile } from '../../../io/archive/archive-plan.ts';
import { registryIndex, registryIndexUrl } from '../../../io/config/registry-index.ts';
import type { Files } from '../../../core/files/files.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { prepareManifest } from '../../../core/manifest/prepare-manifest.ts';
import { readPreparedManifest } from '../../../core/manifest/read-prepared-manifest.ts';
import { writtenFeatures } from '../../../core/manifest/written-tables.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { type ArchiveLockOptions, lockPackage } from './lock-package.ts';
import type { LockPassOptions } from '../lock/lock-pass.ts';
import type { PackagePlan } from './plan-package.ts';

/** Options for the files of all archives. */
export interface ArchiveOptions extends ArchiveLockOptions {
  readonly files: Files;
  /** Returns the resolver's options. Called only if dependencies are resolved. */
  readonly resolving: () => LockPassOptions;
}

/** Options for the files of an archive. */
export interface FillArchiveOptions extends ArchiveOptions {
  /** Resolves when `made` contains the previous packages, which resolving dependencies needs. */
  readonly turn: Promise<void>;
}

/** The files of an archive, and the manifest in it. */
export interface FilledArchive {
  readonly prepared: PackageManifest;
  /** Text of the prepared manifest. */
  readonly text: string;
  /** `[features]` of the prepared manifest, as written. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  /** In archive order. Generated files are created and reported only when they are reached. */
  readonly files: AsyncIterable<ArchiveFile>;
}

/** Prepares the manifest for an archive. Warns about omitted targets, and throws if none is left. */
export function fillArchive(
  plan: PackagePlan,
  options: FillArchiveOptions,
  context: OperationContext,
): FilledArchive {
  const { config, workspace, files } = options;
  const { manifest, archive } = plan;
  const { path, summary } = manifest;
  const { sources } = workspace.manifests;
  const written = prepareManifest({
    manifest,
    text: Buffer.from(files.read(path) ?? []).toString('utf8'),
    rootManifest: workspace.rootManifest,
    included: new Set(archive.files.map((file) => file.path)),
    files,
    registryIndex: (name) => registryIndexUrl(config, name),
  });
  for (const warning of written.warnings) context.report.warning(warning);
  const prepared = readPreparedManifest(written.text, {
    path,
    source: summary.id.source,
    sources,
    registry: (name) => registryIndex(config, name, sources),
  });
  const makeLockfile = async (): Promise<string> => {
    if (options.made !== null) await options.turn;
    return lockPackage(prepared, { ...options.resolving(), ...options }, context);
  };
  return {
    prepared,
    text: written.text,
    features: writtenFeatures(written.text),
    files: fill(plan, { manifest: written.text, makeLockfile }, context),
  };
}

async function* fill(
  { archive }: PackagePlan,
  { manifest, makeLockfile }: { readonly manifest: string; readonly makeLockfile: () => Promise<string> },
  { report }: OperationContext,
): AsyncGenerator<ArchiveFile> {
  const generate = {
    manifest: () => manifest,
    lockfile: makeLockfile,
    'vcs-info': () => present(archive.vcsInfo, 'the VCS information'),
  };
  for (const { path, content } of archive.files) {
    report.verbose('Archiving', path);
    if (content.kind === 'copy') yield { path, content };
    else {
      yield { path, content: { kind: 'generate', bytes: Buffer.from(await generate[content.what]()) } };
    }
  }
}
