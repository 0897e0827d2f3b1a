/** Targets of published manifests. Cargo Book: cargo package, Cargo Targets. */
import type { Message } from '../errors/wording.ts';
import { buildTable } from '../toml/build-table.ts';
import type { TomlTable } from '../toml/value.ts';
import type { NormalizedTargets } from './build-targets.ts';
import type { NamedTarget } from './normalize-targets.ts';
import { KIND_NAMES, type RawTarget, type TargetArrayKind } from './raw-target.ts';

/** The published targets; null for a kind without any. */
export interface PreparedTargets extends Readonly<Record<TargetArrayKind, TomlTable[] | null>> {
  readonly lib: TomlTable | null;
  /** Paths of build scripts. */
  readonly build: readonly string[];
}

/**
 * Leaves out targets whose file is not in the archive, and warns about each. `included` has the archive's paths; with
 * null, all targets stay.
 */
export function prepareTargets(
  targets: NormalizedTargets,
  included: ReadonlySet<string> | null,
  warnings: Message[],
): PreparedTargets {
  const isIncluded = (path: string, warning: string): boolean => {
    if (included === null || included.has(path)) return true;
    warnings.push(warning);
    return false;
  };
  const isPublished = (kind: TargetArrayKind | 'lib', { name, path }: NamedTarget): boolean =>
    isIncluded(path, `ignoring ${KIND_NAMES[kind]} \`${name}\` as \`${path}\` ${NOT_INCLUDED}`);
  const publishedTables = (kind: TargetArrayKind): TomlTable[] | null => {
    const published = targets[kind].filter((target) => isPublished(kind, target));
    return published.length === 0 ? null : published.map(targetTable);
  };
  // First, because its warnings come first.
  const build = targets.build.filter((path) =>
    isIncluded(path, `ignoring \`package.build\` entry \`${path}\` as it ${NOT_INCLUDED}`),
  );
  const { lib } = targets;
  return {
    build,
    lib: lib !== null && isPublished('lib', lib) ? targetTable(lib) : null,
    bin: publishedTables('bin'),
    example: publishedTables('example'),
    test: publishedTables('test'),
    bench: publishedTables('bench'),
  };
}

const NOT_INCLUDED = 'is not included in the published package';

function targetTable(target: NamedTarget): TomlTable {
  return buildTable<keyof RawTarget>({
    name: target.name,
    'crate-type': target['crate-type'],
    crate_type: target.crate_type,
    path: target.path,
    filename: target.filename,
    test: target.test,
    doctest: target.doctest,
    bench: target.bench,
    doc: target.doc,
    'doc-scrape-examples': target['doc-scrape-examples'],
    'proc-macro': target['proc-macro'],
    proc_macro: target.proc_macro,
    harness: target.harness,
    'required-features': target['required-features'],
    edition: target.edition,
  });
}
