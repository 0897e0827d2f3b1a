/** Parses the flags of `tree`, with cargo's messages for invalid and deprecated ones. Cargo Book: cargo tree. */
import type { Environment } from '../../io/config/environment.ts';
import { TsregError } from '../../core/errors/error.ts';
import { type Message, wordingByProgram } from '../../core/errors/wording.ts';
import type { PackageFlags } from '../shared/workspace/select-packages.ts';
import { missingTarget } from '../shared/workspace/missing-values.ts';
import type { Report } from '../../core/report/report.ts';
import type { DependencyKind } from '../../core/summary/summary.ts';
import { isGiven, valueOf, valuesOf } from '../shared/command.ts';
import type { FlagValues } from '../shared/flag.ts';
import { UsageError } from '../shared/usage-error.ts';

/** The values of `--edges`, in the order of help. */
export const EDGE_WORDS = [
  'all',
  'normal',
  'build',
  'dev',
  'features',
  'public',
  'no-normal',
  'no-build',
  'no-dev',
  'no-proc-macro',
] as const;

/** The parsed flags of `tree`. */
export interface TreeFlags extends EdgeFlags {
  readonly prefix: 'depth' | 'indent' | 'none';
  /** True to repeat the dependencies of a package each time it appears. */
  readonly repeats: boolean;
  /** Target triples; `all` alone for every platform. */
  readonly targets: readonly string[];
  /** How many levels to show below each root. */
  readonly maxDepth: number;
  /** True for `--depth workspace`. */
  readonly membersOnly: boolean;
  readonly packages: PackageFlags;
  /** True for `-p` without a value, which fails with a list of the members. */
  readonly listsPackages: boolean;
  /** Package id specifications; empty for a tree that is not inverted. */
  readonly invert: readonly string[];
  readonly duplicates: boolean;
  /** Package id specifications of the packages to hide. */
  readonly prune: readonly string[];
}

/** The parts of the graph that `--edges` selects. */
export interface EdgeFlags {
  readonly kinds: ReadonlySet<DependencyKind>;
  readonly showsFeatures: boolean;
  readonly hidesProcMacros: boolean;
}

const KINDS: readonly DependencyKind[] = ['normal', 'build', 'dev'];
/** cargo stores the depth in 32 bits. */
const MAX_DEPTH = 2 ** 32 - 1;

/** Parses the flags. The order of its steps is that of cargo's warnings and errors. Throws for the first invalid flag. */
export function readTreeFlags(
  values: FlagValues,
  context: { readonly report: Report; readonly env: Environment },
): TreeFlags {
  const { report } = context;
  const prefix = readPrefix(values, report);
  const repeats = isGiven(values, 'no-dedupe') || isGiven(values, 'all');
  if (isGiven(values, 'all')) {
    report.warning(
      wordingByProgram((program) => ({
        title: `the \`${program} tree\` --all flag has been changed to --no-dedupe, and may be removed in a future version`,
        remarks: [
          {
            label: 'help',
            text: 'if you are looking to display all workspace members, use the --workspace flag',
          },
        ],
      })),
    );
  }
  const targets = readTargets(values, context);
  const edges = readEdges(values, report);
  const depth = readDepth(valueOf(values, 'depth'));
  const packages = {
    packages: valuesOf(values, 'package'),
    workspace: isGiven(values, 'workspace') || isGiven(values, 'all'),
    exclude: valuesOf(values, 'exclude'),
  };
  if (packages.exclude.length > 0 && !packages.workspace) {
    throw invalid('--exclude can only be used together with --workspace');
  }
  return {
    ...edges,
    ...depth,
    prefix,
    repeats,
    targets,
    packages,
    listsPackages: isGiven(values, 'package') && packages.packages.length === 0,
    invert: readInverted(values, packages),
    duplicates: isGiven(values, 'duplicates'),
    prune: valuesOf(values, 'prune'),
  };
}

/** Returns the value of `--prefix`, or of its deprecated forms, with cargo's warning. */
function readPrefix(values: FlagValues, report: Report): TreeFlags['prefix'] {
  if (isGiven(values, 'no-indent')) {
    report.warning('the --no-indent flag has been changed to --prefix=none');
    return 'none';
  }
  if (isGiven(values, 'prefix-depth')) {
    report.warning('the --prefix-depth flag has been changed to --prefix=depth');
    return 'depth';
  }
  const prefix = valueOf(values, 'prefix');
  return prefix === 'depth' || prefix === 'none' ? prefix : 'indent';
}

/** Returns the values of `--target`, or `all` for its deprecated form. Throws `config` if they are missing. */
function readTargets(
  values: FlagValues,
  { report, env }: { readonly report: Report; readonly env: Environment },
): readonly string[] {
  if (isGiven(values, 'all-targets')) {
    report.warning('the --all-targets flag has been changed to --target=all');
    return ['all'];
  }
  const targets = valuesOf(values, 'target');
  if (!isGiven(values, 'target') || targets.length > 0) return targets;
  throw missingTarget({ env });
}

/** Parses `--edges` and its deprecated form. cargo: src/bin/cargo/commands/tree.rs, parse_edge_kinds. */
function readEdges(values: FlagValues, report: Report): EdgeFlags {
  const allWords = valuesOf(values, 'edges');
  const hidesProcMacros = allWords.includes('no-proc-macro');
  const words = allWords.filter((word) => word !== 'no-proc-macro' && word !== 'public');
  if (isGiven(values, 'no-dev-dependencies')) {
    report.warning('the --no-dev-dependencies flag has changed to -e=no-dev');
    words.push('no-dev');
  }
  if (words.length === 0) words.push(...KINDS);
  // cargo warns about deprecated flags before it rejects this value.
  if (allWords.includes('public')) throw invalid('`--edges public` requires `-Zunstable-options`');
  const showsFeatures = words.some((word) => word === 'features' || word === 'all');
  if (!words.some((word) => word.startsWith('no-'))) {
    // As in cargo, `-e features` alone follows all kinds of dependencies.
    const hasAll = words.includes('all') || (words.length === 1 && words[0] === 'features');
    const kinds = new Set(KINDS.filter((kind) => hasAll || words.includes(kind)));
    return { kinds, showsFeatures, hidesProcMacros };
  }
  const mixed = words.find((word) => word !== 'features' && !word.startsWith('no-'));
  if (mixed !== undefined) {
    throw invalid(
      `\`${mixed}\` dependency kind cannot be mixed with "no-normal", "no-build", or "no-dev" dependency kinds`,
    );
  }
  const kinds = new Set(KINDS.filter((kind) => !words.includes(`no-${kind}`)));
  return { kinds, showsFeatures, hidesProcMacros };
}

/** Throws a `UsageError` if the depth is neither a 32-bit number nor `workspace`. */
function readDepth(text: string | null): Pick<TreeFlags, 'maxDepth' | 'membersOnly'> {
  if (text === null) return { maxDepth: MAX_DEPTH, membersOnly: false };
  if (text === 'workspace') return { maxDepth: MAX_DEPTH, membersOnly: true };
  const maxDepth = /^\+?\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (maxDepth <= MAX_DEPTH) return { maxDepth, membersOnly: false };
  throw UsageError.wrongValue(
    `supported values for --depth are non-negative integers and \`workspace\`, but \`${text}\` is unknown`,
  );
}

/** Returns the values of `--invert`; empty without the flag. Throws `config` if they are missing. */
function readInverted(values: FlagValues, { packages, workspace }: PackageFlags): readonly string[] {
  const invert = valuesOf(values, 'invert');
  if (!isGiven(values, 'invert') || invert.length > 0) return invert;
  // As in cargo, `-i -p foo` is another form of `-i foo`.
  if (packages.length > 0 && !workspace) return packages;
  throw invalid(
    wordingByProgram(
      (program) => `a package name is required for \`-i\` but none was supplied

note: \`-p <spec> -i\` is not supported; pass the package name to \`-i\` directly.

help: to inspect the reverse dependencies of a specific package, pass the name directly to \`-i\`:

    ${program} tree -i <spec>

help: if you are in a workspace and want to search across all members, use:

    ${program} tree --workspace -i <spec>
`,
    ),
  );
}

function invalid(message: Message): TsregError {
  return new TsregError(message, { code: 'config' });
}
