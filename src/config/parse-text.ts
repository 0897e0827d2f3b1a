/** TOML text of configuration, with errors as cargo words them here. */
import { TsregError } from '../errors/error.ts';
import { parseToml } from '../toml/parse.ts';
import { renderTomlError, TomlSyntaxError } from '../toml/syntax-error.ts';
import type { TomlTable } from '../toml/value.ts';

/**
 * The table that a text holds; what is wrong with it is said in one message of several lines, of which one is the line
 * of the text. With `hidesValues` only keys are to be read in it.
 */
export function parseConfigText(
  text: string,
  { hidesValues = false }: { readonly hidesValues?: boolean } = {},
): TomlTable {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    const shown = hidesValues ? hideValues(text) : text;
    throw new TsregError(renderTomlError(shown, error), { code: 'toml' });
  }
}

/** Keys and headers stay, and everything keeps its place. */
function hideValues(text: string): string {
  const keyOrHeader = /^\s*(?:\[{1,2}[\w.\s-]+\]{0,2}|[\w.-]+\s*=)/;
  return text
    .split('\n')
    .map((line) => {
      const [kept = ''] = keyOrHeader.exec(line) ?? [];
      return kept + line.slice(kept.length).replaceAll(/[^\s"']/g, '*');
    })
    .join('\n');
}
