import { maskStderr } from '../helpers/answer.ts';
import type { PackagedFile } from '../helpers/packaged.ts';
import type { Disagreement } from './compare.ts';

/** Returns lines that show where the two results differ. */
export function describeDisagreement(disagreement: Disagreement): string[] {
  const { cargo, subject, facets, legacy } = disagreement;
  const lines: string[] = [];
  for (const facet of facets) {
    switch (facet) {
      case 'status':
        lines.push(`status: cargo ${cargo.status}, subject ${subject.status}`);
        if (!facets.includes('stderr')) lines.push(...lineDifference('stderr', cargo.stderr, subject.stderr));
        break;
      case 'stdout':
        lines.push(...documentDifference('stdout', cargo.stdout, subject.stdout));
        break;
      case 'legacy':
        lines.push(...documentDifference('legacy', legacy?.expected ?? '', legacy?.got ?? ''));
        break;
      case 'stderr':
        lines.push(...lineDifference('stderr', maskStderr(cargo.stderr), maskStderr(subject.stderr)));
        break;
      case 'lock':
        lines.push(...lineDifference('Cargo.lock', cargo.lock ?? '(none)', subject.lock ?? '(none)'));
        break;
      case 'home':
        lines.push(...setDifference('CARGO_HOME', cargo.home, subject.home));
        break;
      case 'packaged':
        lines.push(...packagedDifference(cargo.packaged, subject.packaged));
        break;
      case 'plain':
        lines.push('without TSREG_COMPAT: the status is not 101');
        break;
    }
  }
  return lines;
}

const shown = 12;

/** Returns the first difference of two texts, with a few lines of each from there on. */
export function lineDifference(title: string, left: string, right: string): string[] {
  const a = left.split('\n');
  const b = right.split('\n');
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  const part = (lines: readonly string[], sign: string): string[] =>
    lines.slice(at, at + shown).map((line) => `  ${sign} ${line.slice(0, 400)}`);
  return [
    `${title}: first difference at line ${at + 1} (- cargo, + subject)`,
    ...part(a, '-'),
    ...part(b, '+'),
  ];
}

function packagedDifference(left: readonly PackagedFile[], right: readonly PackagedFile[]): string[] {
  const text = (files: readonly PackagedFile[]): string => files.flatMap(({ lines }) => lines).join('\n');
  if (text(left) !== text(right)) return lineDifference('target/package', text(left), text(right));
  const digests = new Map(right.map(({ path, digest }) => [path, digest]));
  return left
    .filter(({ path, digest }) => digests.get(path) !== digest)
    .map(({ path }) => `${path}: the same entries, other bytes`);
}

function setDifference(title: string, left: readonly string[], right: readonly string[]): string[] {
  const only = (from: readonly string[], other: readonly string[], sign: string): string[] => {
    const known = new Set(other);
    return from.filter((line) => !known.has(line)).map((line) => `  ${sign} ${line}`);
  };
  return [
    `${title} (- cargo, + subject)`,
    ...only(left, right, '-').slice(0, shown),
    ...only(right, left, '+').slice(0, shown),
  ];
}

function documentDifference(title: string, left: string, right: string): string[] {
  let a: unknown;
  let b: unknown;
  try {
    a = JSON.parse(left);
    b = JSON.parse(right);
  } catch {
    return lineDifference(title, left, right);
  }
  const lines = [...valueDifference('', a, b)].slice(0, shown);
  if (lines.length > 0) return [`${title} (- cargo, + subject)`, ...lines];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return [
    `${title}: same values, other bytes at ${at}`,
    `  - ${left.slice(Math.max(0, at - 60), at + 60)}`,
    `  + ${right.slice(Math.max(0, at - 60), at + 60)}`,
  ];
}

function* valueDifference(path: string, a: unknown, b: unknown): Generator<string> {
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) yield `  length of ${path}: - ${a.length} + ${b.length}`;
      for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
        const name = label(a[i]);
        yield* valueDifference(`${path}[${name ?? i}]`, a[i], b[i]);
      }
      return;
    }
    const left = a as Record<string, unknown>;
    const right = b as Record<string, unknown>;
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      yield* valueDifference(`${path}.${key}`, left[key], right[key]);
    }
    return;
  }
  if (a !== b) yield `  ${path}: - ${short(a)} + ${short(b)}`;
}

function label(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, pkg, name } = value as Record<string, unknown>;
  const found = id ?? pkg ?? name;
  return typeof found === 'string' ? found.slice(-40) : null;
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 160);
}
