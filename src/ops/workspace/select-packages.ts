/** Which members of a workspace a command is about. Cargo Book: cargo package, Package Selection. */
import { asUsageError, TsregError, withContext } from '../../errors/error.ts';
import { compareBytes } from '../../files/compare-bytes.ts';
import type { PackageId } from '../../package-id/package-id.ts';
import {
  comparePackageIdSpecs,
  formatPackageIdSpec,
  matchesPackageIdSpec,
  type PackageIdSpec,
  parseGivenSpec,
  specOfPackage,
} from '../../package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../../package-id/query-package-id-spec.ts';
import type { Report } from '../../report/report.ts';
import { type GlobComponent, parseGlob } from '../../workspace/glob-pattern.ts';

/** Flags of the command line that select packages. */
export interface PackageFlags {
  /** Values of `-p`: package id specifications, or patterns of names. */
  readonly packages: readonly string[];
  /** `--workspace`. */
  readonly workspace: boolean;
  /** Values of `--exclude`, in the form of those of `-p`. */
  readonly exclude: readonly string[];
}

/** A workspace as far as selecting members goes. */
export interface SelectableWorkspace<Member> {
  /** Absolute path of the root folder. */
  readonly root: string;
  /** In discovery order. */
  readonly members: readonly Member[];
  readonly defaultMembers: readonly Member[];
  /** The manifest that the command was started on. */
  readonly currentManifest: { readonly kind: 'package' | 'virtual' };
}

/** A member: anything with a package id. */
export interface SelectableMember {
  readonly summary: { readonly id: PackageId };
}

/** Who is told what an exclusion does not match, and how specifications are told from paths. */
export interface PackageSelectionContext {
  readonly report: Report;
  /** The absolute path of what a text names as a path, if anything is there; else null. */
  readonly existingPath: (text: string) => string | null;
}

/** Fails where the flags do not go together. */
export function checkPackageFlags({ workspace, exclude }: PackageFlags): void {
  if (exclude.length > 0 && !workspace) {
    throw invalid('--exclude can only be used together with --workspace');
  }
}

/**
 * The members that the flags select, in discovery order: without flags the default members, never none.
 * Fails in cargo's words where something that was named is not there; an exclusion of nothing is only a warning.
 */
export function selectPackages<Member extends SelectableMember>(
  flags: PackageFlags,
  workspace: SelectableWorkspace<Member>,
  context: PackageSelectionContext,
): readonly Member[] {
  const selected = select(flags, workspace, context);
  if (selected.length > 0) return selected;
  if (workspace.currentManifest.kind === 'virtual') {
    throw noMembers(workspace.root);
  }
  throw invalid('no packages to compile');
}

/** A virtual workspace at `root` has no members, and the command needs some. */
export function noMembers(root: string): TsregError {
  return invalid(
    `manifest path \`${root}\` contains no package: ` +
      'The manifest is virtual, and the workspace has no members.',
  );
}

/**
 * As `selectPackages`, for commands on the whole graph, where `-p` may name any package: specifications, of which each
 * is to name one.
 */
export function selectSpecs(
  flags: PackageFlags,
  workspace: SelectableWorkspace<SelectableMember>,
  context: PackageSelectionContext,
): readonly PackageIdSpec[] {
  if (flags.workspace || flags.packages.length === 0) {
    return selectPackages(flags, workspace, context).map(({ summary }) => specOfPackage(summary.id));
  }
  const named = new NameMatcher(flags.packages, context.existingPath);
  const matching = workspace.members.filter(({ summary }) => named.matchesPattern(summary.id));
  const [problem] = named.patternProblem('', workspace.root);
  if (problem !== undefined) throw invalid(problem);
  const specs = [...named.specs, ...matching.map(({ summary }) => specOfPackage(summary.id))];
  const unique = new Map(specs.map((spec) => [formatPackageIdSpec(spec), spec]));
  return Array.from(unique.values()).sort(comparePackageIdSpecs);
}

function select<Member extends SelectableMember>(
  flags: PackageFlags,
  workspace: SelectableWorkspace<Member>,
  context: PackageSelectionContext,
): readonly Member[] {
  const { members, defaultMembers, root } = workspace;
  if (flags.workspace && flags.exclude.length > 0) {
    const excluded = new NameMatcher(flags.exclude, context.existingPath);
    const rest = members.filter(({ summary }) => !excluded.matchesOnce(summary.id));
    for (const problem of excluded.problems('excluded ', root)) context.report.warning(problem);
    return rest;
  }
  if (flags.workspace) {
    const named = new NameMatcher(flags.packages, context.existingPath);
    for (const { summary } of members) named.matchesOnce(summary.id);
    const [problem] = named.problems('', root);
    if (problem !== undefined) throw invalid(problem);
    return members;
  }
  if (flags.packages.length === 0) return defaultMembers;
  const named = new NameMatcher(flags.packages, context.existingPath);
  const ids = members.map(({ summary }) => summary.id);
  const selected = members.filter(({ summary }) => named.matches(summary.id));
  const [problem] = named.patternProblem('', root);
  if (problem !== undefined) throw invalid(problem);
  for (const spec of named.specs) {
    if (!ids.some((id) => matchesPackageIdSpec(spec, id))) queryPackageIdSpec(spec, ids);
  }
  return selected;
}

/** Values of `-p` or `--exclude`, and which of them have matched something. */
class NameMatcher {
  /** In cargo's order: by name, version, URL. */
  readonly specs: readonly PackageIdSpec[];
  readonly #patterns: readonly GlobComponent[];
  readonly #unmatchedSpecs: Set<PackageIdSpec>;
  readonly #unmatchedPatterns: Set<GlobComponent>;

  constructor(texts: readonly string[], existingPath: PackageSelectionContext['existingPath']) {
    const specs = new Map<string, PackageIdSpec>();
    const patterns: GlobComponent[] = [];
    for (const text of texts) {
      try {
        const spec = parseGivenSpec(text, { existingPath });
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

  /** True if a specification or a pattern names this package. */
  matches(id: PackageId): boolean {
    const bySpec = this.specs.some((spec) => matchesPackageIdSpec(spec, id));
    return this.matchesPattern(id) || bySpec;
  }

  /** As `matches`; a specification that has named one package names no other one after it. */
  matchesOnce(id: PackageId): boolean {
    for (const spec of this.#unmatchedSpecs) {
      if (!matchesPackageIdSpec(spec, id)) continue;
      this.#unmatchedSpecs.delete(spec);
      return true;
    }
    return this.matchesPattern(id);
  }

  /** What `matchesOnce` found nothing for, in cargo's words: specifications, then patterns. */
  problems(label: '' | 'excluded ', root: string): readonly string[] {
    const names = Array.from(this.#unmatchedSpecs, formatPackageIdSpec).sort(compareBytes);
    const bySpec =
      names.length === 0
        ? []
        : [`${label}package(s) \`${names.join(', ')}\` not found in workspace \`${root}\``];
    return [...bySpec, ...this.patternProblem(label, root)];
  }

  /** The patterns that nothing was found for, in cargo's words; empty if there are none. */
  patternProblem(label: '' | 'excluded ', root: string): readonly string[] {
    const texts = Array.from(this.#unmatchedPatterns, ({ text }) => text);
    if (texts.length === 0) return [];
    return [`${label}package pattern(s) \`${texts.join(', ')}\` not found in workspace \`${root}\``];
  }

  /** True if a pattern names this package. */
  matchesPattern(id: PackageId): boolean {
    // The first pattern that matches is the one that counts.
    const pattern = this.#patterns.find((each) => each.matches(id.name));
    if (pattern === undefined) return false;
    this.#unmatchedPatterns.delete(pattern);
    return true;
  }
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
