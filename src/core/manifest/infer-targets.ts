/** Discovery of targets, and their places. Cargo Book: Cargo Targets, Target auto-discovery. */
import type { Message } from '../errors/wording.ts';
import { closestNameHint } from '../errors/similar-names.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { normalizePath } from '../files/path.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Edition } from './manifest.ts';
import { KIND_NAMES } from './raw-target.ts';
import type { RawTarget, TargetArrayKind } from './raw-target.ts';
import type { InferredTarget, TargetFiles } from './target-files.ts';

/** Inputs that are the same for all targets of a package. */
export interface TargetScope {
  readonly packageName: string;
  readonly edition: Edition;
  readonly files: TargetFiles;
  readonly warnings: Message[];
  /** Problems that only fail a build. */
  readonly buildErrors: string[];
}

/** The targets of one kind as written, and whether to discover others. */
export interface TargetArray {
  readonly kind: TargetArrayKind;
  readonly written: readonly RawTarget[] | null;
  /** The `autobins` key or its equivalent; null if missing. */
  readonly discover: boolean | null;
  /** Only used for binaries. */
  readonly hasLib: boolean;
}

/** Where cargo discovers targets. Cargo Book: Package Layout. */
const FOLDERS: Readonly<Record<TargetArrayKind, string>> = {
  bin: 'src/bin',
  example: 'examples',
  test: 'tests',
  bench: 'benches',
};

/** Frequent misspellings of `FOLDERS`, for hints. */
const WRONG_FOLDERS: Readonly<Record<TargetArrayKind, string>> = {
  bin: 'src/bins',
  example: 'example',
  test: 'test',
  bench: 'bench',
};

/** The keys of `[package]` that turn discovery on or off. */
const SWITCHES: Readonly<Record<TargetArrayKind, string>> = {
  bin: 'autobins',
  example: 'autoexamples',
  test: 'autotests',
  bench: 'autobenches',
};

/** Discovers the targets of one kind. */
export function inferTargets(
  kind: TargetArrayKind,
  { files, packageName }: TargetScope,
): readonly InferredTarget[] {
  const inFolder = files.targetsIn(FOLDERS[kind]);
  if (kind !== 'bin' || !files.exists('src/main.rs')) return inFolder;
  return [{ name: packageName, path: 'src/main.rs' }, ...inFolder];
}

/**
 * Combines written targets with discovered ones that are not written, sorted by name. If `discover` is null, a package
 * of the 2015 edition with written targets discovers no others.
 */
export function mergeInferred(
  { kind, written, discover }: TargetArray,
  inferred: readonly InferredTarget[],
  scope: TargetScope,
): readonly RawTarget[] {
  if (written === null) return discover === false ? [] : sortByName(inferred);
  const names = new Set(written.map((target) => target.name));
  const paths = new Set(written.flatMap(({ path }) => (path === undefined ? [] : [withoutDots(path)])));
  const others = inferred.filter(({ name, path }) => !names.has(name) && !paths.has(path));
  const discoversByDefault = scope.edition !== '2015';
  if (discover ?? discoversByDefault) return sortByName([...written, ...others]);
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

/** Thrown for a target other than a binary without a file. It fails a build, but not `metadata`. */
export class PathNotFound extends Error {}

/**
 * Returns the normalized path of the target `name` from discovery. Throws `manifest` for a binary without a file or
 * with several, and `PathNotFound` for another target.
 */
export function inferredPath(
  name: string,
  targets: TargetArray,
  inferred: readonly InferredTarget[],
  scope: TargetScope,
): string {
  const { kind } = targets;
  const [first, second] = inferred.filter((candidate) => candidate.name === name);
  if (first !== undefined && second === undefined) return first.path;
  const legacy = scope.edition === '2015' ? legacyPath(name, targets, scope) : null;
  if (legacy !== null) return normalizePath(legacy);
  const message =
    first === undefined || second === undefined
      ? notFoundMessage(name, kind, inferred, scope)
      : `cannot infer path for \`${name}\` ${kind}\n` +
        `Cargo doesn't know which to use because multiple target files found at \`${first.path}\` and \`${second.path}\`.`;
  throw kind === 'bin' ? manifestProblem(message) : new PathNotFound(message);
}

/** Returns another place for a 2015 target without a path; null if no file exists there. */
function legacyPath(name: string, { kind, hasLib }: TargetArray, scope: TargetScope): string | null {
  const { files, warnings } = scope;
  let path: string | undefined;
  if (kind === 'bench') {
    if (name === 'bench' && files.exists('src/bench.rs')) path = 'src/bench.rs';
  } else if (kind === 'bin') {
    const candidates = [...(hasLib ? [] : [`src/${name}.rs`]), 'src/main.rs', 'src/bin/main.rs'];
    path = candidates.find((candidate) => files.exists(candidate));
  }
  if (path === undefined) return null;
  warnings.push(
    `path \`${path}\` was erroneously implicitly accepted for ${KIND_NAMES[kind]} \`${name}\`,\n` +
      `please set ${kind}.path in Cargo.toml`,
  );
  return path;
}

/** Returns the message about a target without a file, with a hint for a similar name or a misspelled folder. */
function notFoundMessage(
  name: string,
  kind: TargetArrayKind,
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
  let misplaced: { readonly wrong: string; readonly right: string } | null = null;
  if (files.exists(wrongFile)) misplaced = { wrong: wrongFile, right: file };
  else if (files.exists(wrongFolder)) misplaced = { wrong: wrongFolder, right: folder };
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

/** Returns the warning about `others`, which the 2018 edition would discover. */
function inferenceWarning(kind: TargetArrayKind, others: readonly InferredTarget[]): string {
  const kindName = KIND_NAMES[kind];
  const paths = others.map(({ path }) => `* ${path}\n`).join('');
  return `An explicit [[${kind}]] section is specified in Cargo.toml which currently
disables Cargo from automatically inferring other ${kindName} targets.
This inference behavior will change in the Rust 2018 edition and the following
files will be included as a ${kindName} target:

${paths}
This is likely to break cargo build or cargo test as these files may not be
ready to be compiled as a ${kindName} target today. You can future-proof yourself
and disable this warning by adding \`${SWITCHES[kind]} = false\` to your [package]
section. You may also move the files to a location where Cargo would not
automatically infer them to be a target, such as in subfolders.

For more information on this warning you can consult
https://github.com/rust-lang/cargo/issues/5330`;
}
