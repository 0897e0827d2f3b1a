/** Names and paths of targets, from tables and from discovery. Cargo Book: Cargo Targets. */
import type { Message } from '../errors/wording.ts';
import { closestNameHint } from '../errors/similar-names.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { normalizePath } from '../files/path.ts';
import { checkSpelling } from './deprecated-spelling.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Edition } from './manifest.ts';
import { crateTypesOf, procMacroOf } from './raw-target.ts';
import type { RawTarget } from './raw-target.ts';
import type { InferredTarget, TargetFiles } from './target-files.ts';

/** A target with its name and its path relative to the package's folder. */
export type NamedTarget = RawTarget & { readonly name: string; readonly path: string };

/** Inputs that are the same for all targets of a package. */
export interface TargetScope {
  readonly packageName: string;
  readonly edition: Edition;
  readonly files: TargetFiles;
  readonly warnings: Message[];
  /** Problems that only fail a build. */
  readonly buildErrors: string[];
}

/** Kinds that a package can have many targets of. */
export type ManyKind = 'bin' | 'example' | 'test' | 'bench';

/** Names of kinds of target in messages. */
export const KIND_NAMES = {
  lib: 'library',
  bin: 'binary',
  example: 'example',
  test: 'test',
  bench: 'benchmark',
} as const;

const FOLDERS: Readonly<Record<ManyKind, string>> = {
  bin: 'src/bin',
  example: 'examples',
  test: 'tests',
  bench: 'benches',
};
const WRONG_FOLDERS: Readonly<Record<ManyKind, string>> = {
  bin: 'src/bins',
  example: 'example',
  test: 'test',
  bench: 'bench',
};
const SWITCHES: Readonly<Record<ManyKind, string>> = {
  bin: 'autobins',
  example: 'autoexamples',
  test: 'autotests',
  bench: 'autobenches',
};

/** Names that a binary may not have, because the build folder has subfolders with these names. */
const RESERVED_BINARIES: ReadonlySet<string> = new Set(['deps', 'examples', 'build', 'incremental']);

/** Returns true if nothing is left to discover: discovery is off, and all targets have names and paths. */
function isComplete(written: readonly RawTarget[] | null, discover: boolean | null): boolean {
  if (discover !== false) return false;
  return (written ?? []).every((target) => target.name !== undefined && target.path !== undefined);
}

/** Returns the library; null if there is none. */
export function normalizeLib(
  written: RawTarget | null,
  discover: boolean | null,
  scope: TargetScope,
): NamedTarget | null {
  const complete = isComplete(written === null ? null : [written], discover);
  if (complete && written === null) return null;
  // Checked only if no path is written.
  const found = (): boolean => scope.files.exists('src', 'lib.rs');
  if (written === null && !found()) return null;
  const name = written?.name ?? scope.packageName.replaceAll('-', '_');
  checkName(name, 'lib');
  if (name.includes('-')) throw manifestProblem(`library target names cannot contain hyphens: ${name}`);
  if (written === null) return { name, path: 'src/lib.rs' };
  checkSpellings(written, { kind: 'lib', name }, scope);
  if (written.path !== undefined) return { ...written, name, path: normalizePath(written.path) };
  if (found()) return { ...written, name, path: 'src/lib.rs' };
  const legacy = `src/${name}.rs`;
  if (scope.edition !== '2015' || !scope.files.existsAt(legacy)) {
    throw manifestProblem(
      `can't find library \`${name}\`, rename file to \`src/lib.rs\` or specify lib.path`,
    );
  }
  scope.warnings.push(
    `path \`${legacy}\` was erroneously implicitly accepted for library \`${name}\`,\n` +
      'please rename the file to `src/lib.rs` or set lib.path in Cargo.toml',
  );
  return { ...written, name, path: normalizePath(legacy) };
}

/** Inputs for targets of one kind. */
export interface ManyTargets {
  readonly kind: ManyKind;
  readonly written: readonly RawTarget[] | null;
  /** The `autobins` key or its equivalent; null if missing. */
  readonly discover: boolean | null;
  /** Only used for binaries. */
  readonly hasLib: boolean;
}

/**
 * Returns the targets of one kind. Throws `manifest` for a binary without a file. Omits other targets without one, with
 * a build error.
 */
export function normalizeMany(many: ManyTargets, scope: TargetScope): readonly NamedTarget[] {
  const { kind, written, discover } = many;
  if (isComplete(written, discover)) {
    return (written ?? []).map((target) => {
      const name = checkTarget(target, kind, scope);
      return { ...target, name, path: normalizePath(target.path ?? '') };
    });
  }
  const inferred = inferTargets(kind, scope);
  const targets = mergeInferred(many, inferred, scope);
  if (kind === 'bin') {
    return targets.map((target) => {
      const name = checkTarget(target, kind, scope);
      return { ...target, name, path: pathOf({ name, path: target.path }, many, inferred, scope) };
    });
  }
  const names = targets.map((target) => checkTarget(target, kind, scope));
  const normalized: NamedTarget[] = [];
  for (const [at, target] of targets.entries()) {
    const name = names[at] ?? '';
    try {
      const path = pathOf({ name, path: target.path }, many, inferred, scope);
      normalized.push({ ...target, name, path });
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      scope.buildErrors.push(error.message);
    }
  }
  return normalized;
}

/** Checks a target and returns its name. */
function checkTarget(target: RawTarget, kind: ManyKind, scope: TargetScope): string {
  const name = checkName(target.name, kind);
  if (kind !== 'bin') {
    checkSpellings(target, { kind, name }, scope);
    return name;
  }
  if (RESERVED_BINARIES.has(name)) {
    throw manifestProblem(
      `the binary target name \`${name}\` is forbidden, it conflicts with cargo's build directory names`,
    );
  }
  const crateTypes = crateTypesOf(target);
  if (crateTypes !== null && crateTypes.length > 0) {
    scope.buildErrors.push(
      `the target \`${name}\` is a binary and can't have any crate-types set (currently "${crateTypes.join(', ')}")`,
    );
  } else if (crateTypes !== null) checkCrateTypeSpelling(target, { kind, name }, scope);
  if (procMacroOf(target) === true) {
    scope.buildErrors.push(`the target \`${name}\` is a binary and can't have \`proc-macro\` set \`true\``);
  } else checkProcMacroSpelling(target, { kind, name }, scope);
  return name;
}

/** A target in messages. */
interface TargetPlace {
  readonly kind: ManyKind | 'lib';
  readonly name: string;
}

function checkName(name: string | undefined, kind: ManyKind | 'lib'): string {
  if (name === undefined) throw manifestProblem(`${KIND_NAMES[kind]} target ${kind}.name is required`);
  if (name.trim() === '') throw manifestProblem(`${KIND_NAMES[kind]} target names cannot be empty`);
  return name;
}

function checkSpellings(target: RawTarget, place: TargetPlace, scope: TargetScope): void {
  checkProcMacroSpelling(target, place, scope);
  checkCrateTypeSpelling(target, place, scope);
}

function checkProcMacroSpelling(target: RawTarget, place: TargetPlace, scope: TargetScope): void {
  if (target.proc_macro === undefined) return;
  const written = { old: true, current: target['proc-macro'] !== undefined };
  checkSpelling('proc-macro', written, { ...scope, place: placeText(place) });
}

function checkCrateTypeSpelling(target: RawTarget, place: TargetPlace, scope: TargetScope): void {
  if (target.crate_type === undefined) return;
  const written = { old: true, current: target['crate-type'] !== undefined };
  checkSpelling('crate-type', written, { ...scope, place: placeText(place) });
}

function placeText({ kind, name }: TargetPlace): string {
  return `\`${name}\` ${KIND_NAMES[kind]} target`;
}

function inferTargets(kind: ManyKind, { files, packageName }: TargetScope): readonly InferredTarget[] {
  const inFolder = files.targetsIn(FOLDERS[kind]);
  if (kind !== 'bin' || !files.exists('src', 'main.rs')) return inFolder;
  return [{ name: packageName, path: 'src/main.rs' }, ...inFolder];
}

/** Combines written targets with discovered ones that are not written, sorted by name. */
function mergeInferred(
  { kind, written, discover }: ManyTargets,
  inferred: readonly InferredTarget[],
  scope: TargetScope,
): readonly RawTarget[] {
  if (written === null) return discover === false ? [] : sortByName(inferred);
  const names = new Set(written.map((target) => target.name));
  const paths = new Set(written.flatMap(({ path }) => (path === undefined ? [] : [withoutDots(path)])));
  const others = inferred.filter(({ name, path }) => !names.has(name) && !paths.has(path));
  if (discover ?? scope.edition !== '2015') return sortByName([...written, ...others]);
  if (discover === null && others.length > 0) scope.warnings.push(inferenceWarning(kind, others));
  return sortByName(written);
}

/** Removes `.` and empty components from a path, which do not distinguish paths. `..` stays. */
function withoutDots(path: string): string {
  const components = path.split('/').filter((component) => component !== '' && component !== '.');
  return (path.startsWith('/') ? '/' : '') + components.join('/');
}

/** Sorts by name. Targets without a name come first. */
function sortByName(targets: readonly RawTarget[]): readonly RawTarget[] {
  return [...targets].sort(({ name: a }, { name: b }) => {
    if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
    return compareBytes(a, b);
  });
}

class PathNotFound extends Error {}

/** Returns the normalized path of a target, written or discovered. */
function pathOf(
  target: { readonly name: string; readonly path: string | undefined },
  many: ManyTargets,
  inferred: readonly InferredTarget[],
  scope: TargetScope,
): string {
  if (target.path !== undefined) return normalizePath(target.path);
  const { name } = target;
  const { kind } = many;
  const [first, second] = inferred.filter((candidate) => candidate.name === name);
  if (first !== undefined && second === undefined) return first.path;
  const legacy = scope.edition === '2015' ? legacyPath(name, many, scope) : null;
  if (legacy !== null) return normalizePath(legacy);
  const message =
    first === undefined || second === undefined
      ? notFound(name, kind, inferred, scope)
      : `cannot infer path for \`${name}\` ${kind}\n` +
        `Cargo doesn't know which to use because multiple target files found at \`${first.path}\` and \`${second.path}\`.`;
  throw kind === 'bin' ? manifestProblem(message) : new PathNotFound(message);
}

/** Returns another place for a 2015 target without a path; null if no file exists there. */
function legacyPath(name: string, { kind, hasLib }: ManyTargets, scope: TargetScope): string | null {
  const { files, warnings } = scope;
  let path: string | undefined;
  if (kind === 'bench') {
    if (name === 'bench' && files.exists('src', 'bench.rs')) path = 'src/bench.rs';
  } else if (kind === 'bin') {
    const candidates = [...(hasLib ? [] : [`src/${name}.rs`]), 'src/main.rs', 'src/bin/main.rs'];
    path = candidates.find((candidate) => files.existsAt(candidate));
  }
  if (path === undefined) return null;
  warnings.push(
    `path \`${path}\` was erroneously implicitly accepted for ${KIND_NAMES[kind]} \`${name}\`,\n` +
      `please set ${kind}.path in Cargo.toml`,
  );
  return path;
}

function notFound(
  name: string,
  kind: ManyKind,
  inferred: readonly InferredTarget[],
  { files }: TargetScope,
): string {
  const hint = closestNameHint(
    name,
    inferred.map((target) => target.name),
    kind,
  );
  const pathsIn = (folder: string): readonly [string, string] => [
    `${folder}/${name}.rs`,
    `${folder}/${name}/main.rs`,
  ];
  const [file, folder] = pathsIn(FOLDERS[kind]);
  const [wrongFile, wrongFolder] = pathsIn(WRONG_FOLDERS[kind]);
  const misplaced = files.existsAt(wrongFile)
    ? { wrong: wrongFile, right: file }
    : files.existsAt(wrongFolder)
      ? { wrong: wrongFolder, right: folder }
      : null;
  if (misplaced === null) {
    return (
      `can't find \`${name}\` ${kind} at \`${file}\` or \`${folder}\`. ` +
      `Please specify ${kind}.path if you want to use a non-default path.${hint}`
    );
  }
  return (
    `can't find \`${name}\` ${kind} at default paths, but found a file at \`${misplaced.wrong}\`.\n` +
    `Perhaps rename the file to \`${misplaced.right}\` for target auto-discovery, ` +
    `or specify ${kind}.path if you want to use a non-default path.${hint}`
  );
}

function inferenceWarning(kind: ManyKind, others: readonly InferredTarget[]): string {
  const human = KIND_NAMES[kind];
  const paths = others.map(({ path }) => `* ${path}\n`).join('');
  return `An explicit [[${kind}]] section is specified in Cargo.toml which currently
disables Cargo from automatically inferring other ${human} targets.
This inference behavior will change in the Rust 2018 edition and the following
files will be included as a ${human} target:

${paths}
This is likely to break cargo build or cargo test as these files may not be
ready to be compiled as a ${human} target today. You can future-proof yourself
and disable this warning by adding \`${SWITCHES[kind]} = false\` to your [package]
section. You may also move the files to a location where Cargo would not
automatically infer them to be a target, such as in subfolders.

For more information on this warning you can consult
https://github.com/rust-lang/cargo/issues/5330`;
}
