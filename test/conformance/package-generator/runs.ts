import type { RunDecl } from '../../helpers/scenario.ts';
import { pick } from '../generator/pick.ts';
import type { PackageGenome, PackageRunGene } from './genome.ts';
import type { PackageSubject } from './subjects.ts';

/** The names that runs can use. */
export interface RunSurroundings {
  /** Folder of the whole tree, empty or with a slash at the end. */
  readonly base: string;
  /** Folders of the packages, in the same form. */
  readonly folders: readonly string[];
  readonly names: readonly string[];
  readonly isWorkspace: boolean;
}

/** The subjects that flags on the command line show. */
const evidence: Readonly<Record<string, PackageSubject>> = {
  '--list': '--list',
  '-l': '--list',
  '--allow-dirty': '--allow-dirty',
  '--exclude-lockfile': '--exclude-lockfile',
  '--no-metadata': '--no-metadata',
  '-p': '--package',
  '--workspace': '--workspace',
  '--exclude': '--exclude',
  '-v': '--verbose',
  '-vv': '--verbose',
  '-q': '--quiet',
};

/** Builds the runs of a genome. The last one creates archives of all packages that can be packaged. */
export function buildPackageRuns(genome: PackageGenome, around: RunSurroundings): RunDecl[] {
  const runs: RunDecl[] = [];
  if (genome.lock > 0 && genome.lock % 3 > 0) {
    runs.push({
      name: 'lock',
      bare: true,
      args: ['metadata', '--format-version', '1'],
      ...inFolder(around.base),
    });
  }
  for (const [at, gene] of genome.runs.entries()) {
    runs.push({ name: `run-${at}`, ...argumentsOf(gene, around), ...inFolder(folderOf(gene, around)) });
  }
  const args = ['--no-verify', '--allow-dirty'];
  if (around.isWorkspace && genome.last % 3 > 0) args.push('--workspace');
  if (genome.last % 5 === 0) args.push('-v');
  runs.push({ name: 'last', args, ...inFolder(around.base) });
  return runs;
}

/** Returns the subjects on the command lines of runs. */
export function subjectsOfRuns(runs: readonly RunDecl[]): PackageSubject[] {
  return runs.flatMap(({ args = [] }) => args.flatMap((arg) => evidence[arg] ?? []));
}

function argumentsOf(gene: PackageRunGene, around: RunSurroundings): Pick<RunDecl, 'args' | 'env'> {
  const args: string[] = [gene.isList ? pick(['--list', '-l'], gene.cwd) : '--no-verify'];
  if (gene.isDirtyAllowed) args.push('--allow-dirty');
  for (const flag of gene.flags) {
    const name = pick(around.names, flag);
    const more = pick(
      [
        ['--exclude-lockfile'],
        ['--no-metadata'],
        ['-p', name],
        ['--workspace'],
        ['--workspace', '--exclude', name],
        ['-v'],
        ['-q'],
        ['-p', pick(['al*', `${name}@0.1.0`, 'nope', name.toUpperCase()], flag)],
        ['--registry', 'alt'],
        ['--features', pick(['f0', 'nope', `${name}/f0`, 'default'], gene.cwd)],
        ['--offline'],
        ['--locked'],
        ['--target-dir', '$D/target/far'],
        ['-vv'],
        ['--workspace', '--exclude', pick(['nope', 'b*', name], flag)],
        ['--exclude-lockfile'],
        ['--no-metadata'],
        ['-q'],
      ],
      flag,
    );
    const isVerbosity = /^-[vq]/.test(more[0] ?? '');
    if (args.includes(more[0] ?? '') || (isVerbosity && args.some((arg) => /^-[vq]/.test(arg)))) continue;
    args.push(...more);
  }
  if (!gene.isList || gene.cwd % 4 !== 1) return { args };
  return {
    args: [...args, '--message-format', 'json', '-Zunstable-options'],
    env: { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' },
  };
}

function folderOf(gene: PackageRunGene, around: RunSurroundings): string {
  const folder = pick(around.folders, gene.cwd);
  return pick([around.base, folder, `${folder}src/`, around.base], gene.cwd >> 1);
}

function inFolder(folder: string): { cwd?: string } {
  return folder === '' ? {} : { cwd: folder.replace(/\/$/, '') };
}
