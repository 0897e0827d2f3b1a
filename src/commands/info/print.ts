/** The text output of `info`. Cargo Book: cargo info. */
import type { InfoDocument } from './document.ts';
import type { UseStatus } from './features.ts';
import type { PackageInfo } from './result.ts';
import { hyperlink } from '../../io/terminal/hyperlinks.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { styled } from '../../io/terminal/style.ts';

/**
 * cargo's limit. If more features than this are enabled, the text has only their number. If there are more features in
 * total, it has only the number of disabled ones.
 */
const MAX_FEATURES = 30;

/** Options of the text. */
export interface InfoTextOptions {
  /** True to show all features, and the dependencies. */
  readonly isVerbose: boolean;
  /** True to link keywords to their pages. */
  readonly hasLinks: boolean;
}

/** Returns the document as one line of JSON. The keys of the package are cargo's. */
export function infoLine(document: InfoDocument): string {
  const versions = document.versions.map(({ version, rustVersion }) => ({
    version,
    rust_version: rustVersion,
  }));
  return `${JSON.stringify({ ...document, versions })}\n`;
}

/** Returns the text with styles. Text from the package is sanitized, so that it cannot control the terminal. */
export function infoText(info: PackageInfo, { isVerbose, hasLinks }: InfoTextOptions): string {
  return [
    `${styled('header', info.name)}${keywordsText(info, hasLinks)}`,
    ...(info.description === null ? [] : [sanitizeForTerminal(trimEnd(info.description), 'indent')]),
    field('version', `${info.version}${versionRemark(info)}`),
    field('license', info.license === null ? styled('error', 'unknown') : oneLine(info.license)),
    field('rust-version', info.rustVersion ?? styled('warning', 'unknown')),
    ...link('documentation', info.documentation),
    ...link('homepage', info.homepage),
    ...link('repository', info.repository),
    ...(info.isFromCratesIo
      ? [field('crates.io', `https://crates.io/crates/${info.name}/${info.version}`)]
      : []),
    ...featureLines(info, isVerbose),
    ...(isVerbose ? [...dependencyLines(info, 'normal'), ...dependencyLines(info, 'build')] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function keywordsText({ keywords, isFromCratesIo }: PackageInfo, hasLinks: boolean): string {
  if (keywords.length === 0) return '';
  const tags = keywords.map(oneLine).map((keyword) => {
    const isLink = isFromCratesIo && hasLinks;
    return isLink ? hyperlink(`https://crates.io/keywords/${keyword}`, `#${keyword}`) : `#${keyword}`;
  });
  return ` ${styled('gutter', tags.join(' '))}`;
}

function versionRemark({ latest, isFromCratesIo, origin }: PackageInfo): string {
  if (isFromCratesIo) return latest === null ? '' : ` ${styled('warning', `(latest ${latest})`)}`;
  const from = `from ${oneLine(origin)}`;
  if (latest === null) return ` ${styled('gutter', `(${from})`)}`;
  return ` ${styled('warning', `(latest ${latest} `)}${styled('gutter', from)}${styled('warning', ')')}`;
}

function field(name: string, value: string): string {
  return `${styled('header', `${name}:`)} ${value}`;
}

function link(name: string, url: string | null): readonly string[] {
  return url === null ? [] : [field(name, oneLine(url))];
}

/** Returns the features, or only their numbers if there are too many: see `MAX_FEATURES`. */
function featureLines({ features }: PackageInfo, isVerbose: boolean): readonly string[] {
  // As in cargo, the longest name is measured in bytes, and the padding of each name in characters.
  const width = Math.max(0, ...features.map(({ name }) => Buffer.byteLength(name)));
  if (width === 0) return [];
  const disabled = features.filter(({ status }) => status === 'disabled').length;
  const enabled = features.length - disabled;
  const showsEnabled = isVerbose || enabled <= MAX_FEATURES;
  const showsDisabled = isVerbose || features.length <= MAX_FEATURES;
  const shown = features.filter(({ status }) => (status === 'disabled' ? showsDisabled : showsEnabled));
  return [
    styled('header', 'features:'),
    ...shown.map(({ name, values, status }) => {
      const padding = ' '.repeat(Math.max(0, width - Array.from(name).length));
      const list = values.map((value) => dimUnused(status, oneLine(value))).join(', ');
      return `${mark(status)}${dimUnused(status, oneLine(name) + padding)} = [${list}]`;
    }),
    ...(showsEnabled ? [] : [`  ${styled('italic', `${enabled} activated features`)}`]),
    ...(showsDisabled ? [] : [`  ${styled('italic', `${disabled} deactivated features`)}`]),
  ];
}

function dependencyLines({ dependencies }: PackageInfo, kind: 'normal' | 'build'): readonly string[] {
  const listed = dependencies.filter((dependency) => dependency.kind === kind);
  if (listed.length === 0) return [];
  const title = kind === 'build' ? 'build-dependencies:' : 'dependencies:';
  return [
    styled('header', title),
    ...listed.map(({ name, requirement, origin, status }) => {
      const place = requirement === null ? ` (${oneLine(origin)})` : `@${requirement}`;
      return `${mark(status)}${dimUnused(status, oneLine(name + place))}`;
    }),
  ];
}

function mark(status: UseStatus): string {
  return status === 'chosen' ? ` ${styled('header', '+')}` : '  ';
}

function dimUnused(status: UseStatus, text: string): string {
  return status === 'disabled' ? styled('dimmed', text) : text;
}

function oneLine(text: string): string {
  return sanitizeForTerminal(text, 'join');
}

/** Removes trailing Unicode white space, as Rust does. */
function trimEnd(text: string): string {
  let end = text.length;
  while (/\p{White_Space}/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
