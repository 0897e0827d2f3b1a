/** Targets from normalized target tables. Cargo Book: Cargo Targets. */
import type { Message } from '../errors/wording.ts';
import { fileName, joinPath, toNativeSeparators } from '../files/path.ts';
import { manifestProblem } from './manifest-problem.ts';
import { refuseUnstable } from './cargo-features.ts';
import { parseEdition } from './edition.ts';
import type { Edition, Target, TargetKind } from './manifest.ts';
import type { NamedTarget } from './normalize-targets.ts';
import { crateTypesOf, KIND_NAMES, procMacroOf } from './raw-target.ts';
import type { TargetArrayKind } from './raw-target.ts';

/** The normalized target tables of a package. */
export interface NormalizedTargets {
  readonly lib: NamedTarget | null;
  readonly bin: readonly NamedTarget[];
  readonly example: readonly NamedTarget[];
  readonly test: readonly NamedTarget[];
  readonly bench: readonly NamedTarget[];
  /** Normalized paths of build scripts. */
  readonly build: readonly string[];
}

/** Inputs that are the same for all targets of a package. */
export interface BuildTargetsOptions {
  /** Absolute path of the package's folder. */
  readonly root: string;
  readonly edition: Edition;
  readonly warnings: Message[];
}

/** The default flags. Cargo Book: Cargo Targets, Configuring a target. */
const DEFAULT_FLAGS: Readonly<Record<TargetKind, Pick<Target, 'doc' | 'doctest' | 'test'>>> = {
  lib: { doc: true, doctest: true, test: true },
  bin: { doc: true, doctest: false, test: true },
  example: { doc: false, doctest: false, test: false },
  test: { doc: false, doctest: false, test: true },
  bench: { doc: false, doctest: false, test: false },
  'custom-build': { doc: false, doctest: false, test: false },
};

/** The crate types of all targets except libraries and some examples. */
const BIN = ['bin'];

/** Builds the targets in the order in which they are listed. */
export function buildTargets(normalized: NormalizedTargets, options: BuildTargetsOptions): readonly Target[] {
  const targets: Target[] = [];
  if (normalized.lib !== null) targets.push(libTarget(normalized.lib, options));
  for (const kind of ['bin', 'example', 'test', 'bench'] as const) {
    const tables = normalized[kind];
    if (kind === 'bin' && tables.some(({ filename }) => filename !== undefined)) {
      refuseUnstable('different-binary-name');
    }
    checkUniqueNames(tables, kind);
    for (const table of tables) targets.push(arrayTarget(table, kind, options));
  }
  checkUniqueStems(normalized.build);
  for (const script of normalized.build) targets.push(buildScript(script, options));
  if (targets.every(({ kind }) => kind === 'custom-build')) {
    throw manifestProblem(
      'no targets specified in the manifest\n' +
        'either src/lib.rs, src/main.rs, a [lib] section, or [[bin]] section must be present',
    );
  }
  warnAboutSharedFiles(targets, options.warnings);
  return targets;
}

/** Builds the library. Only some crate types can have documentation tests. */
function libTarget(table: NamedTarget, options: BuildTargetsOptions): Target {
  const crateTypes = libCrateTypes(table, options.warnings);
  const canDoctest = crateTypes.some((type) => type === 'lib' || type === 'rlib' || type === 'proc-macro');
  const target = makeTarget(table, 'lib', options);
  return { ...target, kinds: crateTypes, crateTypes, doctest: target.doctest && canDoctest };
}

/** Returns the crate types of a library. Throws `manifest` for types that exclude each other. */
function libCrateTypes(table: NamedTarget, warnings: Message[]): readonly string[] {
  const written = crateTypesOf(table);
  if (written === null) return procMacroOf(table) === true ? ['proc-macro'] : ['lib'];
  if (written.includes('dylib') && written.includes('cdylib')) {
    throw manifestProblem(
      `library \`${table.name}\` cannot set the crate type of both \`dylib\` and \`cdylib\``,
    );
  }
  if (written.includes('proc-macro')) {
    warnings.push(
      `library \`${table.name}\` should only specify \`proc-macro = true\` instead of setting \`crate-type\``,
    );
    if (written.length > 1) throw manifestProblem('cannot mix `proc-macro` crate type with others');
  }
  return written;
}

/** Builds another target than a library. Only examples may have other crate types than `bin`. */
function arrayTarget(table: NamedTarget, kind: TargetArrayKind, options: BuildTargetsOptions): Target {
  const target = makeTarget(table, kind, options);
  if (kind !== 'example') return target;
  const crateTypes = crateTypesOf(table) ?? [];
  return crateTypes.every((type) => type === 'bin') ? target : { ...target, crateTypes };
}

function makeTarget(table: NamedTarget, kind: TargetArrayKind | 'lib', options: BuildTargetsOptions): Target {
  const { root, warnings } = options;
  const defaults = DEFAULT_FLAGS[kind];
  let edition: Target['edition'] = options.edition;
  if (table.edition !== undefined) {
    warnings.push(`\`edition\` is set on ${KIND_NAMES[kind]} \`${table.name}\` which is deprecated`);
    edition = parseEdition(table.edition);
  }
  return {
    kind,
    kinds: [kind],
    crateTypes: BIN,
    name: table.name,
    srcPath: absolutePath(root, table.path),
    edition,
    requiredFeatures: kind === 'lib' ? null : (table['required-features'] ?? null),
    doc: table.doc ?? defaults.doc,
    doctest: kind === 'lib' && (table.doctest ?? defaults.doctest),
    test: table.test ?? defaults.test,
  };
}

function buildScript(script: string, { root, edition }: BuildTargetsOptions): Target {
  const { doc, doctest, test } = DEFAULT_FLAGS['custom-build'];
  return {
    kind: 'custom-build',
    kinds: ['custom-build'],
    crateTypes: BIN,
    name: `build-script-${fileStem(script)}`,
    srcPath: absolutePath(root, script),
    edition,
    requiredFeatures: null,
    doc,
    doctest,
    test,
  };
}

/** Joins `root` with a normalized path. `..` at its start stays. */
function absolutePath(root: string, path: string): string {
  return toNativeSeparators(joinPath(root, path));
}

function fileStem(path: string): string {
  const name = fileName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Throws `manifest` if two targets of one kind have the same name. */
function checkUniqueNames(tables: readonly NamedTarget[], kind: TargetArrayKind): void {
  const what = kind === 'bin' ? KIND_NAMES.bin : kind;
  const seen = new Set<string>();
  for (const { name } of tables) {
    if (seen.has(name)) {
      throw manifestProblem(
        `found duplicate ${what} name ${name}, but all ${what} targets must have a unique name`,
      );
    }
    seen.add(name);
  }
}

/** Throws `manifest` if two build scripts have the same name without extension. */
function checkUniqueStems(scripts: readonly string[]): void {
  const byStem = new Map<string, string[]>();
  for (const script of scripts) {
    const stem = fileStem(script);
    byStem.set(stem, [...(byStem.get(stem) ?? []), script]);
  }
  const conflicts = [...byStem].filter(([, paths]) => paths.length > 1);
  if (conflicts.length === 0) return;
  const lines = conflicts.map(([stem, paths]) => `\n  for stem \`${stem}\`: ${paths.join(', ')}`);
  throw manifestProblem(
    'found build scripts with duplicate file stems, but all build scripts must have a unique file stem' +
      lines.join(''),
  );
}

/** Names of kinds of target in the warning about shared files. */
const KIND_DESCRIPTIONS: Readonly<Record<TargetKind, string>> = {
  lib: 'lib',
  bin: 'bin',
  example: 'example',
  test: 'integration-test',
  bench: 'bench',
  'custom-build': 'build-script',
};

function warnAboutSharedFiles(targets: readonly Target[], warnings: Message[]): void {
  const byPath = new Map<string, Target[]>();
  for (const target of targets) {
    const sharing = byPath.get(target.srcPath);
    if (sharing === undefined) byPath.set(target.srcPath, [target]);
    else sharing.push(target);
  }
  for (const [path, sharing] of byPath) {
    if (sharing.length < 2) continue;
    const lines = sharing.map(({ kind, name }) => `  * \`${KIND_DESCRIPTIONS[kind]}\` target \`${name}\``);
    warnings.push(`file \`${path}\` found to be present in multiple build targets:\n${lines.join('\n')}`);
  }
}
