/** Compares the `Cargo.toml` of an archive with the metadata. Cargo Book: Registry Web API, Publish. */
import type { InspectedCrate } from '../../io/archive/inspect-crate.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { parseManifest } from '../../core/manifest/parse-manifest.ts';
import { writtenFeatures } from '../../core/manifest/written-tables.ts';
import { isCratesIo } from '../../core/package-id/source-id.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import { parsePlatform } from '../../core/platform/parse-platform.ts';
import type { PublishedDependency, PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import type { Dependency } from '../../core/summary/summary.ts';
import { parseVersionReq } from '../../core/version/requirement.ts';
import { errorChain } from '../shared/error-chain.ts';
import { publishProblem } from './publish-problem.ts';
import type { Entry, Files, Kind } from '../../core/files/files.ts';

/** The assumed folder of the unpacked archive. */
const ROOT = '/package';

/**
 * Throws `source` if the manifest of an archive is invalid, or if package, dependencies or features differ from the
 * metadata. So a reader of only one of the two is not misled. `metadata` must have passed `checkMetadata`.
 */
export function checkManifest(inspected: InspectedCrate, metadata: PublishMetadata): void {
  const { manifest: text } = inspected;
  const manifest = readManifest(inspected);
  const { id, dependencies, links } = manifest.summary;
  expectSame('name', metadata.name, id.name);
  expectSame('version', metadata.version, id.version.text);
  expectSame('links', metadata.links, links);
  expectSame('rust-version', metadata.rustVersion, manifest.rustVersion);
  compareDependencies(metadata.dependencies, dependencies);
  compareFeatures(metadata.features, writtenFeatures(text));
}

/** Parses the manifest as if the archive were unpacked at `ROOT`. Throws `source`. */
function readManifest({ manifest: text, ...paths }: InspectedCrate): PackageManifest {
  const sources = new SourceTable();
  let manifest;
  try {
    manifest = parseManifest(text, {
      path: `${ROOT}/Cargo.toml`,
      source: sources.forRegistryIndex('sparse+https://registry.invalid/'),
      sources,
      files: archiveFiles(paths, ROOT),
      registry: (name) => {
        if (name === 'crates-io') return sources.cratesIo();
        throw publishProblem(`the registry \`${name}\` is named without the URL of its index`);
      },
      inheritFrom: () => {
        throw publishProblem('it inherits from a workspace');
      },
    });
  } catch (error) {
    throw publishProblem(`the archive's \`Cargo.toml\` cannot be used: ${causesOf(error)}`);
  }
  if (manifest.kind === 'package') return manifest;
  throw publishProblem("the archive's `Cargo.toml` is not that of a package");
}

/** Returns the messages of an error without the one that names the path of `ROOT`. */
function causesOf(error: unknown): string {
  const messages = Array.from(errorChain(error), (link) =>
    link instanceof TsregError ? (link.snippet?.message ?? link.message) : link.message,
  );
  return messages.filter((message) => !message.includes(ROOT)).join(': ') || 'it is not a manifest';
}

function expectSame(what: string, sent: string | null, packed: string | null): void {
  if (sent === packed) return;
  throw publishProblem(
    `the metadata has the ${what} \`${sent ?? '(none)'}\`, and the archive's \`Cargo.toml\` has \`${packed ?? '(none)'}\``,
  );
}

/** Throws unless both lists have the same dependencies, in any order and equally often. */
function compareDependencies(sent: readonly PublishedDependency[], packed: readonly Dependency[]): void {
  const unmatched = new Map<string, { readonly name: string; count: number }>();
  for (const dependency of packed) {
    const key = keyOfPacked(dependency);
    const match = unmatched.get(key);
    if (match === undefined) unmatched.set(key, { name: dependency.nameInToml, count: 1 });
    else match.count += 1;
  }
  for (const dependency of sent) {
    const match = unmatched.get(keyOfSent(dependency));
    if (match === undefined || match.count === 0) throw differs(nameOf(dependency));
    match.count -= 1;
  }
  for (const { name, count } of unmatched.values()) if (count > 0) throw differs(name);
  compareRegistries(sent, packed);
}

/** Compares registries if the metadata names one. It names none for the own registry, which has several URLs. */
function compareRegistries(sent: readonly PublishedDependency[], packed: readonly Dependency[]): void {
  const sources = new SourceTable();
  for (const dependency of sent) {
    if (dependency.registry === null) continue;
    const source = sources.forRegistryIndex(dependency.registry);
    const isPacked = packed.some(
      ({ nameInToml, source: other }) =>
        nameInToml === nameOf(dependency) &&
        (other.unpinnedKey === source.unpinnedKey || (isCratesIo(other) && isCratesIo(source))),
    );
    if (!isPacked) throw differs(nameOf(dependency));
  }
}

function differs(name: string): TsregError {
  return publishProblem(
    `the dependency \`${name}\` of the metadata and of the archive's \`Cargo.toml\` are not the same`,
  );
}

function nameOf({ name, explicitNameInToml }: PublishedDependency): string {
  return explicitNameInToml ?? name;
}

/** Returns a text of all that a dependency has besides its registry. `keyOfPacked` must list the same in this order. */
function keyOfSent(dependency: PublishedDependency): string {
  const { target } = dependency;
  return JSON.stringify([
    nameOf(dependency),
    dependency.name,
    parseVersionReq(dependency.versionReq).text,
    dependency.kind,
    target === null ? null : parsePlatform(target).text,
    dependency.optional,
    dependency.defaultFeatures,
    dependency.features.toSorted(),
  ]);
}

function keyOfPacked(dependency: Dependency): string {
  return JSON.stringify([
    dependency.nameInToml,
    dependency.name,
    dependency.req.text,
    dependency.kind,
    dependency.platform?.text ?? null,
    dependency.optional,
    dependency.defaultFeatures,
    dependency.features.toSorted(),
  ]);
}

function compareFeatures(
  sent: ReadonlyMap<string, readonly string[]>,
  packed: ReadonlyMap<string, readonly string[]>,
): void {
  for (const name of new Set([...sent.keys(), ...packed.keys()])) {
    const sentValues = sent.get(name);
    const packedValues = packed.get(name);
    const isSame =
      sentValues !== undefined &&
      packedValues !== undefined &&
      JSON.stringify(sentValues.toSorted()) === JSON.stringify(packedValues.toSorted());
    if (!isSame) {
      throw publishProblem(
        `the feature \`${name}\` of the metadata and of the archive's \`Cargo.toml\` are not the same`,
      );
    }
  }
}

/**
 * Returns the paths of an archive as if it were unpacked at `root`. File contents cannot be read. Folders are listed on
 * demand, because few are needed.
 */
function archiveFiles({ files, folders }: Omit<InspectedCrate, 'manifest'>, root: string): Files {
  const kind = (path: string): Kind | null => {
    if (path === root) return 'directory';
    if (!path.startsWith(`${root}/`)) return null;
    const inside = path.slice(root.length + 1);
    if (files.has(inside)) return 'file';
    return folders.has(inside) ? 'directory' : null;
  };
  return {
    read: () => null,
    list(path) {
      if (kind(path) !== 'directory') return null;
      // The paths in the folder start with this. They have no further slash.
      const prefix = path === root ? '' : `${path.slice(root.length + 1)}/`;
      const entriesOf = (paths: Iterable<string>, entryKind: Kind): readonly Entry[] =>
        Array.from(paths)
          .filter((inside) => inside.startsWith(prefix) && !inside.includes('/', prefix.length))
          .map((inside) => ({ name: inside.slice(prefix.length), kind: entryKind }));
      const entries = [...entriesOf(files, 'file'), ...entriesOf(folders, 'directory')];
      return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    },
    kind,
    exists: (path) => kind(path) !== null,
  };
}
