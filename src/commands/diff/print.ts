/** The summary and the list of files that `diff` prints. */
import { escapeForTerminal, sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { humanBytes } from '../../core/report/human-bytes.ts';
import { styled } from '../../io/terminal/style.ts';
import type { FileChange } from './compare-files.ts';
import type { DeclaredDependency, DependencyChange, FeatureChange } from './compare-manifests.ts';
import { statusOf } from './document.ts';
import type { ComparedCrate, PackageDiff } from './run.ts';
import type { RegistryName } from '../shared/registry/registry-document.ts';

/** Returns the summary, with styles: dependencies, features and facts of both packages. */
export function summaryText({ old, new: fresh, dependencies, features, files }: PackageDiff): string {
  const home = fresh.registry ?? old.registry;
  const newFacts = new Map(factsOf(fresh));
  return [
    styled('header', titleOf(old, fresh)),
    ...changes(
      'dependencies',
      dependencies?.map((each) => dependencyLine(each, home)),
    ),
    ...changes('features', features?.map(featureLine)),
    ...factsOf(old).map(([name, value]) => field(name, change(value, newFacts.get(name) ?? value))),
    field('files', `${change(String(old.files.size), String(fresh.files.size))}${fileCounts(files)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns the changed files, one a line: numbers of added and removed lines, and the path. Empty for no files. */
export function statText(files: readonly FileChange[]): string {
  if (files.length === 0) return '';
  const rows = files.map((file) => ({ counts: countsOf(file), file }));
  const width = (side: 0 | 1): number => Math.max(...rows.map(({ counts }) => counts[side].length));
  const [addedWidth, removedWidth] = [width(0), width(1)];
  const lines = rows.map(({ counts: [added, removed], file }) => {
    const counts =
      styled('added', added.padStart(addedWidth)) + styled('removed', `  ${removed.padStart(removedWidth)}`);
    return `  ${counts}  ${escapeForTerminal(file.path)}${remarkOf(file)}\n`;
  });
  return `${styled('header', 'changed files:')}\n${lines.join('')}`;
}

function titleOf(old: ComparedCrate, fresh: ComparedCrate): string {
  const name = old.name === fresh.name ? '' : `${fresh.name} `;
  return `${old.name} ${old.version} -> ${name}${fresh.version}`;
}

/** Returns facts of a package, the same ones for every package. */
function factsOf({ description, size, unpackedSize }: ComparedCrate): readonly (readonly [string, string])[] {
  const manifest = description?.manifest;
  return [
    ['rust-version', manifest?.rustVersion ?? 'unknown'],
    ['edition', manifest?.edition ?? 'unknown'],
    ['license', manifest?.license ?? manifest?.licenseFile ?? 'unknown'],
    ['size', humanBytes(size)],
    ['unpacked', humanBytes(unpackedSize)],
  ];
}

function field(name: string, value: string): string {
  return `${styled('header', `${name}:`)} ${value}`;
}

/** Returns both values if they differ, else one. */
function change(old: string, fresh: string): string {
  const [before, after] = [oneLine(old), oneLine(fresh)];
  return before === after ? before : `${before} -> ${after}`;
}

/** Returns a list with its heading. `lines` are undefined for an unknown list. */
function changes(name: string, lines: readonly string[] | undefined): readonly string[] {
  if (lines === undefined) return [field(name, 'unknown')];
  return lines.length === 0 ? [field(name, 'unchanged')] : [styled('header', `${name}:`), ...lines];
}

/** Returns a line such as `  + name text`; `old` and `fresh` are null for what a package does not have. */
function changeLine(name: string, old: string | null, fresh: string | null): string {
  if (old === null) return `  ${styled('added', oneLine(`+ ${name} ${fresh ?? ''}`))}`;
  if (fresh === null) return `  ${styled('removed', oneLine(`- ${name} ${old}`))}`;
  return `  ${styled('warning', '~')} ${oneLine(`${name} ${old} -> ${fresh}`)}`;
}

/** Returns the line of a dependency. Names its registry only if that changes, and is not `home`. */
function dependencyLine(dependency: DependencyChange, home: RegistryName | null): string {
  const { name, kind, target, old, new: fresh } = dependency;
  const marks = [...(kind === 'normal' ? [] : [kind]), ...(target === null ? [] : [target])];
  const isMoved = old?.registry !== fresh?.registry;
  const text = (declared: DeclaredDependency | null): string | null =>
    declared === null
      ? null
      : [...requirementWords(declared), ...(isMoved ? originWords(declared, home) : [])].join(', ');
  return changeLine(marks.length === 0 ? name : `${name} (${marks.join(', ')})`, text(old), text(fresh));
}

function requirementWords(declared: DeclaredDependency): readonly string[] {
  const { req, optional, default_features: hasDefaults, features, package: realName } = declared;
  return [
    req,
    ...(realName === null ? [] : [`package ${realName}`]),
    ...(optional ? ['optional'] : []),
    ...(hasDefaults ? [] : ['no default features']),
    ...(features.length === 0 ? [] : [`features [${features.join(', ')}]`]),
  ];
}

/** Returns where a dependency is from; empty for the registry of the compared packages. */
function originWords({ registry }: DeclaredDependency, home: RegistryName | null): readonly string[] {
  if (registry !== null) return registry === home?.index ? [] : [`from ${registry}`];
  return home === null || home.name === CRATES_IO_NAME ? [] : ['from crates.io'];
}

function featureLine({ name, old, new: fresh }: FeatureChange): string {
  const text = (values: readonly string[] | null): string | null =>
    values === null ? null : `[${values.join(', ')}]`;
  return changeLine(`${name} =`, text(old), text(fresh));
}

function fileCounts(files: readonly FileChange[]): string {
  const counts = (['added', 'deleted', 'changed'] as const).flatMap((status) => {
    const count = files.filter((file) => statusOf(file) === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return ` (${counts.length === 0 ? 'unchanged' : counts.join(', ')})`;
}

function countsOf({ lines }: FileChange): readonly [added: string, removed: string] {
  if (typeof lines === 'string') return ['', ''];
  return [lines.added === 0 ? '' : `+${lines.added}`, lines.removed === 0 ? '' : `-${lines.removed}`];
}

/** Returns what the numbers of lines do not say about a file. */
function remarkOf(file: FileChange): string {
  const { old, new: fresh, lines } = file;
  const sizes = [old, fresh].flatMap((side) => (side === null ? [] : [humanBytes(side.data.length)]));
  const status = statusOf(file);
  const remarks = [
    ...(status === 'changed' ? [] : [status]),
    ...(typeof lines === 'string' ? [`${OMITTED[lines]}, ${sizes.join(' -> ')}`] : []),
    ...(old !== null && fresh !== null && old.isExecutable !== fresh.isExecutable
      ? [fresh.isExecutable ? 'now executable' : 'no longer executable']
      : []),
  ];
  return remarks.length === 0 ? '' : ` (${remarks.join(', ')})`;
}

/** The remark on a file whose lines were not compared. */
const OMITTED = { binary: 'binary', 'too-large': 'large', limit: 'not compared' } as const;

function oneLine(text: string): string {
  return sanitizeForTerminal(text, 'join');
}
