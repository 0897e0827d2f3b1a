/** The text output of `why`. */
import { present } from '../../core/errors/assert.ts';
import { textWidth } from '../../io/terminal/char-width.ts';
import { styled } from '../../io/terminal/style.ts';
import type { WhyDependency, WhyEntry, WhyStep } from './document.ts';
import type { WhyResult } from './run.ts';

/** Options of the text. */
export interface WhyTextOptions {
  /** True if the text may contain non-ASCII characters. */
  readonly usesUnicode: boolean;
  /** Columns of the terminal; null if there is none. */
  readonly width: number | null;
}

const INDENT = '  ';
const GAP = '  ';

/** Returns the text with styles: for each package its paths, one line for each step. */
export function whyText({ document, titles }: WhyResult, options: WhyTextOptions): string {
  const sections = document.packages.map((entry, index) => {
    const title = styled('header', present(titles[index], 'the title of a package'));
    const paths = entry.paths.map((path) => pathText(path, entry, options));
    return [title, ...paths].map((block) => `${block}\n`).join('\n');
  });
  return sections.join('\n');
}

/** Returns the lines of a path, without a line break at the end. */
function pathText(path: readonly WhyStep[], entry: WhyEntry, { usesUnicode, width }: WhyTextOptions): string {
  const labels = path.map(({ name, version }, index) => {
    const arrow = usesUnicode ? '→ ' : '-> ';
    return `${INDENT}${index === 0 ? '' : arrow}${name} v${version}`;
  });
  const column = Math.max(...labels.map(textWidth)) + GAP.length;
  return path
    .map(({ dependencies }, index) => {
      const label = present(labels[index], 'the label of a step');
      const details = path.length === 1 ? startText(entry) : dependencies.map(dependencyText).join('; ');
      if (details === '') return label;
      const isTooWide = width !== null && column + textWidth(details) > width;
      const space = isTooWide ? `\n${INDENT.repeat(3)}` : ' '.repeat(column - textWidth(label));
      return `${label}${space}${styled('dimmed', details)}`;
    })
    .join('\n');
}

/** Returns the remark on a package that the search starts from. */
function startText({ workspace_member: isMember }: WhyEntry): string {
  return isMember ? 'workspace member' : 'named by `--package`';
}

/** Returns the requirement of a declaration, and the conditions under which it counts. */
function dependencyText(dependency: WhyDependency): string {
  const { from, requirement, kind, optional, features, target, rename } = dependency;
  return [
    from === 'registry' ? requirement : from,
    ...(kind === 'normal' ? [] : [kind]),
    ...(rename === null ? [] : [`as \`${rename}\``]),
    ...(optional ? [featuresText(features)] : []),
    ...(target === null ? [] : [`on ${target}`]),
  ].join(', ');
}

/** Returns what enables an optional dependency. No feature does if the command line enables a feature of it. */
function featuresText(features: readonly string[]): string {
  if (features.length === 0) return 'optional';
  const names = features.map((name) => `\`${name}\``).join(', ');
  return `${features.length === 1 ? 'feature' : 'features'} ${names}`;
}
