/** Selects the workspace members for a command. Cargo Book: cargo package, Package Selection. */
import { asUsageError, TsregError, withContext } from '../../../core/errors/error.ts';
import { compareBytes } from '../../../core/files/compare-bytes.ts';
import type { PackageId } from '../../../core/package-id/package-id.ts';
import {
  comparePackageIdSpecs,
  formatPackageIdSpec,
  matchesPackageIdSpec,
  type PackageIdSpec,
  parseSpecArgument,
  specOfPackage,
} from '../../../core/package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../../../core/package-id/query-package-id-spec.ts';
import type { Report } from '../../../core/report/report.ts';
import { type GlobComponent, parseGlob } from '../../../io/workspace/glob-pattern.ts';

/** Command-line flags that select packages. */
export interface PackageFlags {
  /** Values of `-p`: package id specifications, or name patterns. */
  readonly packages: readonly string[];
  /** `--workspace`. */
  readonly workspace: boolean;
  /** Values of `--exclude`, in the same form. */
  readonly exclude: readonly string[];
}

/** The parts of a workspace needed to select members. */
export interface SelectableWorkspace<Member> {
  /** Absolute path of the root folder. */
  readonly root: string;
  /** In discovery order. */
  readonly members: readonly Member[];
  readonly defaultMembers: readonly Member[];
  /** The manifest of the working folder, or the one on the command line. */
  readonly currentManifest: { readonly kind: 'package' | 'virtual' };
}

/** A member: anything with a package id. */
export interface SelectableMember {
  readonly summary: { readonly id: PackageId };
}

/** The receiver of warnings, and a way to tell specifications from paths. */
export interface PackageSelectionContext {
  readonly report: Report;
  /** Returns the absolute path for `text` if a file or folder exists there, else null. */
  readonly existingPath: (text: string) => string | null;
}

/** Throws `usage` if the flags cannot be combined. */
export function checkPackageFlags({ workspace, exclude }: PackageFlags): void {
  if (exclude.length > 0 && !workspace) {
    throw invalid('--exclude can only be used together with --workspace');
  }
}

/**
 * Returns the selected members in discovery order: without flags the default members. Throws with cargo's messages if
 * none are selected, or if `-p` matches nothing. Only warns if `--exclude` matches nothing.
 */
export function selectPackages<Member extends SelectableMember>(
  flags: PackageFlags,
  workspace: SelectableWorkspace<Member>,
  context: PackageSelectionContext,
): readonly Member[] {
  const selected = membersByFlags(flags, workspace, context);
  if (selected.length > 0) return selected;
  const isExcluded = flags.exclude.length > 0 && workspace.members.length > 0;
  const hint = isExcluded ? '`--exclude` excludes all members of the workspace' : null;
  if (workspace.currentManifest.kind === 'virtual') {
    throw noMembers(workspace.root, hint);
  }
  throw invalid('no packages to compile', hint);
}

/** Returns the error for a virtual workspace at `root` without members. */
export function noMembers(root: string, hint: string | null = null): TsregError {
  return invalid(
    `manifest path \`${root}\` contains no package: ` +
      'The manifest is virtual, and the workspace has no members.',
    hint,
  );
}

/**
 * Returns specifications, like `selectPackages`, for commands on the whole graph. Here `-p` may name any package. Each
 * specification must match one package.
 */
export function selectSpecs(
  flags: PackageFlags,
  workspace: SelectableWorkspace<SelectableMember>,
  context: PackageSelectionContext,
): readonly PackageIdSpec[] {
  if (flags.workspace || flags.packages.length === 0) {
    return selectPackages(flags, workspace, context).map(({ summary }) => specOfPackage(summary.id));
  }
  const matcher = new NameMatcher(flags.packages, context.existingPath);
  const matching = workspace.members.filter(({ summary }) => matcher.matchesPattern(summary.id));
  const [problem] = matcher.patternProblem('', workspace.root);
  if (problem !== undefined) throw invalid(problem);
  const specs = [...matcher.specs, ...matching.map(({ summary }) => specOfPackage(summary.id))];
  const unique = new Map(specs.map((spec) => [formatPackageIdSpec(spec), spec]));
  return Array.from(unique.values()).sort(comparePackageIdSpecs);
}

/** Returns the selected members, even if there are none. */
function membersByFlags<Member extends SelectableMember>(
  flags: PackageFlags,
  workspace: SelectableWorkspace<Member>,
  context: PackageSelectionContext,
): readonly Member[] {
  const { members, defaultMembers, root } = workspace;
  if (flags.workspace && flags.exclude.length > 0) {
    const excluded = new NameMatcher(flags.exclude, context.existingPath);
    const remaining = members.filter(({ summary }) => !excluded.matchesOnce(summary.id));
    for (const problem of excluded.problems('excluded ', root)) context.report.warning(problem);
    return remaining;
  }
  if (flags.workspace) {
    const matcher = new NameMatcher(flags.packages, context.existingPath);
    // As in cargo, `-p` selects nothing here, but each of its values must match a member.
    for (const { summary } of members) matcher.matchesOnce(summary.id);
    const [problem] = matcher.problems('', root);
    if (problem !== undefined) throw invalid(problem);
    return members;
  }
  if (flags.packages.length === 0) return defaultMembers;
  const matcher = new NameMatcher(flags.packages, context.existingPath);
  const ids = members.map(({ summary }) => summary.id);
  const selected = members.filter(({ summary }) => matcher.matches(summary.id));
  const [problem] = matcher.patternProblem('', root);
  if (problem !== undefined) throw invalid(problem);
  for (const spec of matcher.specs) {
    // Throws the error for a specification without a match.
    if (!ids.some((id) => matchesPackageIdSpec(spec, id))) queryPackageIdSpec(spec, ids);
  }
  return selected;
}

/** Values of `-p` or `--exclude`. Tracks which of them have matched a package. */
class NameMatcher {
  /** Sorted as in cargo: by name, version, URL. */
  readonly specs: readonly PackageIdSpec[];
  readonly #patterns: readonly GlobComponent[];
  readonly #unmatchedSpecs: Set<PackageIdSpec>;
  readonly #unmatchedPatterns: Set<GlobComponent>;

  /** A text that is no specification is a pattern if it has the characters of one. Throws cargo's error for others. */
  constructor(texts: readonly string[], existingPath: PackageSelectionContext['existingPath']) {
    const specs = new Map<string, PackageIdSpec>();
    const patterns: GlobComponent[] = [];
    for (const text of texts) {
      try {
        const spec = parseSpecArgument(text, { existingPath });
        specs.set(formatPackageIdSpec(spec), spec);
      } catch (error) {
        if (!(error instanceof TsregError)) throw error;
        if (!/[*?[\]]/.test(text)) throw error;
        patterns.push(
          asUsageError(() =>
            withContext(`cannot build glob pattern from \`${text}\``, () => parseGlob(text)),
          ),
        );
      }
    }
    this.specs = Array.from(specs.values()).sort(comparePackageIdSpecs);
    this.#patterns = patterns;
    this.#unmatchedSpecs = new Set(this.specs);
    this.#unmatchedPatterns = new Set(patterns);
  }

  /** Returns true if a specification or a pattern matches the package. */
  matches(id: PackageId): boolean {
    const bySpec = this.specs.some((spec) => matchesPackageIdSpec(spec, id));
    return this.matchesPattern(id) || bySpec;
  }

  /** Same as `matches`, except that each specification matches only once. */
  matchesOnce(id: PackageId): boolean {
    for (const spec of this.#unmatchedSpecs) {
      if (!matchesPackageIdSpec(spec, id)) continue;
      this.#unmatchedSpecs.delete(spec);
      return true;
    }
    return this.matchesPattern(id);
  }

  /** Returns cargo's messages for values without a match in `matchesOnce`: specifications, then patterns. */
  problems(label: '' | 'excluded ', root: string): readonly string[] {
    const names = Array.from(this.#unmatchedSpecs, formatPackageIdSpec).sort(compareBytes);
    const bySpec =
      names.length === 0
        ? []
        : [`${label}package(s) \`${names.join(', ')}\` not found in workspace \`${root}\``];
    return [...bySpec, ...this.patternProblem(label, root)];
  }

  /** Returns cargo's message for patterns without a match; empty if there are none. */
  patternProblem(label: '' | 'excluded ', root: string): readonly string[] {
    const texts = Array.from(this.#unmatchedPatterns, ({ text }) => text);
    if (texts.length === 0) return [];
    return [`${label}package pattern(s) \`${texts.join(', ')}\` not found in workspace \`${root}\``];
  }

  /** Returns true if a pattern matches the package. */
  matchesPattern(id: PackageId): boolean {
    // Only the first matching pattern counts as used.
    const pattern = this.#patterns.find((candidate) => candidate.matches(id.name));
    if (pattern === undefined) return false;
    this.#unmatchedPatterns.delete(pattern);
    return true;
  }
}

function invalid(message: string, hint: string | null = null): TsregError {
  return new TsregError(message, { code: 'usage', ...(hint === null ? {} : { hint }) });
}
