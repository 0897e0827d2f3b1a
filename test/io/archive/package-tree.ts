import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlannedFile } from '../../../src/io/archive/archive-plan.ts';
import { PackageRepositories } from '../../../src/io/archive/package-repository.ts';
import { planArchive } from '../../../src/io/archive/plan-archive.ts';
import { selectFiles } from '../../../src/io/archive/select-files.ts';
import { checkRepository, type VcsInfo } from '../../../src/io/archive/vcs-info.ts';
import { NodeFiles } from '../../../src/io/disk/node-files.ts';
import { formatWarning } from '../../../src/core/errors/warning.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { reportTo } from '../../../src/core/report/report.ts';
import { loadWorkspace } from '../../../src/io/workspace/load-workspace.ts';
import { ManifestLoader } from '../../../src/io/workspace/manifest-loader.ts';

/** A symbolic link; `to` is its target. */
interface Link {
  readonly to: string;
}

/** Maps each path to its text or link. */
export type Tree = Readonly<Record<string, string | Link>>;

/** Writes the files of a tree and creates their folders. */
export function writeTree(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    if (typeof content === 'string') writeFileSync(at, content);
    else symlinkSync(content.to, at);
  }
}

/** Returns the text of a package manifest that ends in `more`. */
export function manifestText(more = ''): string {
  return `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n${more}\n`;
}

/** Options of `planTree`. */
export interface PlanOptions {
  /** The working directory; the package's folder by default. */
  readonly cwd?: string;
  readonly isVerbose?: boolean;
  readonly allowDirty?: boolean;
  readonly lockfile?: { readonly path: string | null } | null;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The result of `planTree`. */
export interface Planned {
  /** The paths in the archive, without the files that every archive has. */
  readonly paths: readonly string[];
  readonly files: readonly PlannedFile[];
  readonly vcsInfo: VcsInfo | null;
  readonly text: string | null;
  readonly warnings: readonly string[];
}

const USUAL = ['Cargo.toml', 'Cargo.toml.orig', 'Cargo.lock', '.cargo_vcs_info.json'];

/** Selects, checks and plans the package in `folder`. Ignores the git configuration of the system and the user. */
export async function planTree(folder: string, options: PlanOptions = {}): Promise<Planned> {
  const { cwd = folder, isVerbose = false, allowDirty = false, lockfile = { path: null } } = options;
  const sources = new SourceTable();
  const loader = new ManifestLoader({
    files: new NodeFiles(),
    sources,
    cargoHome: '/home/nobody/.cargo',
    registry: () => sources.cratesIo(),
  });
  const { currentManifest: manifest, rootManifest } = loadWorkspace(join(folder, 'Cargo.toml'), loader);
  if (manifest.kind !== 'package') throw new Error('not a package');
  const warnings: string[] = [];
  const report = reportTo({ warning: (warning) => warnings.push(formatWarning(warning)) });
  const repositories = new PackageRepositories({
    packageRoots: [folder],
    outsideFiles: [rootManifest.path],
    cwd,
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...options.env,
    },
    signal: new AbortController().signal,
  });
  const selection = await selectFiles(manifest, { repositories, report });
  const checked = { repositories, workspaceManifest: rootManifest.path, allowDirty, isVerbose, report };
  const vcsInfo = await checkRepository(selection, checked);
  const { files, vcsInfo: text } = planArchive(selection, { lockfile, vcsInfo, report });
  const paths = files.map(({ path }) => path).filter((path) => !USUAL.includes(path));
  return { paths, files, vcsInfo, text, warnings };
}
