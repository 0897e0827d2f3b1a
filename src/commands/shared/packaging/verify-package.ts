/** Verifies that a `.crate` works without its workspace. Cargo Book: cargo package. */
import { join } from 'node:path';
import { unpackCrate } from '../../../io/archive/unpack-crate.ts';
import { compilerSettings } from '../../../io/config/compiler-settings.ts';
import { registryIndex } from '../../../io/config/registry-index.ts';
import { buildDirectory } from '../../../io/config/target-directory.ts';
import { readLockFile } from '../../../io/disk/read-lock-file.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { TsregError, withContextAsync } from '../../../core/errors/error.ts';
import { joinPath } from '../../../core/files/path.ts';
import { haveSameLines } from '../../../core/lockfile/compare-lockfiles.ts';
import { describePackage } from '../../../core/package-id/describe.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { packageDirName } from '../../../io/sources/unpack-package.ts';
import { type CargoProgram, findCargo } from '../../../io/toolchain/find-cargo.ts';
import { askRustcVersion } from '../../../io/toolchain/rustc.ts';
import { ManifestLoader } from '../../../io/workspace/manifest-loader.ts';
import { reportManifests } from '../../../io/workspace/report-manifests.ts';
import { canOverlay } from './build-package.ts';
import { buildUnpacked } from './build-unpacked.ts';
import {
  type CrateToVerify,
  lockAlone,
  onlyStatuses,
  type UnpackedPackage,
  type VerifyOptions,
  workspaceOf,
} from './unpacked-package.ts';

/**
 * Unpacks each archive into `package` in the build directory, loads it as its own workspace, and builds it with cargo.
 * If cargo cannot build it, checks instead that every target file exists and that dependencies resolve to the archived
 * lock file, and warns once that nothing was built. The unpacked files stay.
 */
export async function verifyPackages(
  crates: readonly CrateToVerify[],
  options: VerifyOptions,
  context: OperationContext,
): Promise<void> {
  if (crates.length === 0) return;
  const cargo = await findBuildTool(options, context.signal);
  let isWarned = false;
  for (const crate of crates) {
    context.report.status('Verifying', describePackage(crate.manifest.summary.id));
    const isBuilt = await withContextAsync(FAILURE, async () => {
      const unpacked = await unpack(crate, options, context.signal);
      if (typeof cargo !== 'string') return await buildUnpacked(unpacked, { ...options, cargo }, context);
      await checkAlone(unpacked, options, context);
      if (!isWarned) context.report.warning(`the packages were not built, ${cargo}`);
      isWarned = true;
      return true;
    });
    // The compiler and cargo have reported why.
    if (!isBuilt) throw new TsregError(FAILURE, { code: 'toolchain' });
  }
}

const FAILURE = 'failed to verify package tarball';

/** Returns cargo, or the reason why nothing can be built. */
async function findBuildTool(
  { config, build, made }: VerifyOptions,
  signal: AbortSignal,
): Promise<CargoProgram | string> {
  const { rustc, wrapper } = compilerSettings(config);
  const { cwd, env, home } = config;
  const { toolchain } = build;
  const cargo = await findCargo({ env, cwd, cargoHome: home, rustc, toolchain }, signal);
  if (cargo === null) return 'since no Rust toolchain was found';
  const version = await askRustcVersion({ program: rustc, wrapper, toolchain, cwd, env }, signal);
  if (version === null) return 'since the Rust compiler does not respond';
  if (made !== null && !canOverlay(cargo)) {
    return `since cargo ${cargo.release} cannot build packages that need each other before they are published`;
  }
  return cargo;
}

async function unpack(
  crate: CrateToVerify,
  { config, workspace }: VerifyOptions,
  signal: AbortSignal,
): Promise<UnpackedPackage> {
  const { manifest, path } = crate;
  const { sources } = workspace.manifests;
  const parent = join(buildDirectory(config, workspace.root), 'package');
  const topFolder = packageDirName(manifest.summary.id);
  const folder = await unpackCrate(path, { parent, topFolder, signal });
  const manifests = new ManifestLoader({
    files: new NodeFiles(),
    sources,
    cargoHome: config.home,
    registry: (name) => registryIndex(config, name, sources),
  });
  return { crate, folder, manifest: manifests.loadPackage(joinPath(folder, 'Cargo.toml')), manifests };
}

/** Checks what cargo would check before it starts a compiler, and that the files of all targets exist. */
async function checkAlone(
  unpacked: UnpackedPackage,
  options: VerifyOptions,
  context: OperationContext,
): Promise<void> {
  const { folder, manifest, manifests } = unpacked;
  reportManifests(workspaceOf(unpacked), context.report);
  for (const { kind, name, srcPath } of manifest.targets) {
    if (manifests.files.kind(srcPath) === 'file') continue;
    throw new TsregError(`couldn't read \`${srcPath}\` of the ${kind} target \`${name}\``, {
      code: 'manifest',
    });
  }
  const lockfile = await lockAlone(unpacked, { ...options, lockfilePath: null }, onlyStatuses(context));
  const path = joinPath(folder, 'Cargo.lock');
  const archived = readLockFile(path);
  if (archived !== null && !haveSameLines(archived, lockfile)) {
    throw new TsregError(`the lock file of the archive does not match its manifest: \`${path}\``, {
      code: 'lockfile',
    });
  }
}
