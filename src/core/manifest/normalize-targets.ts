/** Names and paths of targets, from tables and from discovery. Cargo Book: Cargo Targets. */
import { present } from '../errors/assert.ts';
import { normalizePath } from '../files/path.ts';
import { checkOldSpelling } from './deprecated-spelling.ts';
import { inferredPath, inferTargets, mergeInferred, PathNotFound } from './infer-targets.ts';
import type { TargetArray, TargetScope } from './infer-targets.ts';
import { manifestProblem } from './manifest-problem.ts';
import { crateTypesOf, KIND_NAMES, procMacroOf } from './raw-target.ts';
import type { RawTarget, TargetArrayKind } from './raw-target.ts';

/** A target with its name and its path relative to the package's folder. */
export type NamedTarget = RawTarget & { readonly name: string; readonly path: string };

/** Names that a binary may not have, because the build folder has subfolders with these names. */
const RESERVED_BINARIES: ReadonlySet<string> = new Set(['deps', 'examples', 'build', 'incremental']);

/** Returns true if nothing is left to discover: discovery is off, and all targets have names and paths. */
function isComplete(written: readonly RawTarget[] | null, discover: boolean | null): boolean {
  if (discover !== false) return false;
  return (written ?? []).every((target) => target.name !== undefined && target.path !== undefined);
}

/** Returns the library; null if there is none. Throws `manifest` if its name is invalid or it has no file. */
export function normalizeLib(
  written: RawTarget | null,
  discover: boolean | null,
  scope: TargetScope,
): NamedTarget | null {
  // Each caller looks only if it must: every look becomes an input of the result cache.
  const hasDefaultFile = (): boolean => scope.files.exists('src/lib.rs');
  if (written === null && (discover === false || !hasDefaultFile())) return null;
  const name = written?.name ?? scope.packageName.replaceAll('-', '_');
  checkName(name, 'lib');
  if (name.includes('-')) throw manifestProblem(`library target names cannot contain hyphens: ${name}`);
  if (written === null) return { name, path: 'src/lib.rs' };
  checkSpellings(written, { kind: 'lib', name }, scope);
  if (written.path !== undefined) return { ...written, name, path: normalizePath(written.path) };
  if (hasDefaultFile()) return { ...written, name, path: 'src/lib.rs' };
  const legacy = `src/${name}.rs`;
  if (scope.edition !== '2015' || !scope.files.exists(legacy)) {
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

/**
 * Returns the targets of one kind. Throws `manifest` for a binary without a file. Omits other targets without one, with
 * a build error.
 */
export function normalizeTargetArray(targets: TargetArray, scope: TargetScope): readonly NamedTarget[] {
  const { kind, written, discover } = targets;
  if (isComplete(written, discover)) {
    return (written ?? []).map((target) => {
      const name = checkTarget(target, kind, scope);
      return { ...target, name, path: normalizePath(present(target.path, 'the path of a target')) };
    });
  }
  const inferred = inferTargets(kind, scope);
  const merged = mergeInferred(targets, inferred, scope);
  const withPath = (target: RawTarget, name: string): NamedTarget => {
    const path =
      target.path === undefined ? inferredPath(name, targets, inferred, scope) : normalizePath(target.path);
    return { ...target, name, path };
  };
  if (kind === 'bin') return merged.map((target) => withPath(target, checkTarget(target, kind, scope)));
  // cargo checks all other targets before it looks for files.
  const checked = merged.map((target) => ({ target, name: checkTarget(target, kind, scope) }));
  const normalized: NamedTarget[] = [];
  for (const { target, name } of checked) {
    try {
      normalized.push(withPath(target, name));
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      scope.buildErrors.push(error.message);
    }
  }
  return normalized;
}

/** Returns the name of a target. Throws `manifest` if it is missing or reserved. Adds build errors for wrong keys. */
function checkTarget(target: RawTarget, kind: TargetArrayKind, scope: TargetScope): string {
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
  readonly kind: TargetArrayKind | 'lib';
  readonly name: string;
}

/** Returns the name of a target. Throws `manifest` if it is missing or blank. */
function checkName(name: string | undefined, kind: TargetArrayKind | 'lib'): string {
  if (name === undefined) throw manifestProblem(`${KIND_NAMES[kind]} target ${kind}.name is required`);
  if (name.trim() === '') throw manifestProblem(`${KIND_NAMES[kind]} target names cannot be empty`);
  return name;
}

/** Reports keys with old spellings, in cargo's order. */
function checkSpellings(target: RawTarget, place: TargetPlace, scope: TargetScope): void {
  checkProcMacroSpelling(target, place, scope);
  checkCrateTypeSpelling(target, place, scope);
}

function checkProcMacroSpelling(target: RawTarget, place: TargetPlace, scope: TargetScope): void {
  if (target.proc_macro === undefined) return;
  const hasCurrent = target['proc-macro'] !== undefined;
  checkOldSpelling('proc-macro', { ...scope, hasCurrent, place: placeText(place) });
}

function checkCrateTypeSpelling(target: RawTarget, place: TargetPlace, scope: TargetScope): void {
  if (target.crate_type === undefined) return;
  const hasCurrent = target['crate-type'] !== undefined;
  checkOldSpelling('crate-type', { ...scope, hasCurrent, place: placeText(place) });
}

function placeText({ kind, name }: TargetPlace): string {
  return `\`${name}\` ${KIND_NAMES[kind]} target`;
}
