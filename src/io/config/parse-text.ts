/** Parses configuration text, with cargo's errors for it. */
import { TsregError } from '../../core/errors/error.ts';
import { parseToml } from '../../core/toml/parse.ts';
import { renderTomlError, TomlSyntaxError } from '../../core/toml/syntax-error.ts';
import type { TomlTable } from '../../core/toml/value.ts';

/**
 * Parses `text`. For invalid TOML, throws `toml` with a message of several lines, including the invalid line. With
 * `hidesValues`, it shows only that line's keys.
 */
export function parseConfigText(
  text: string,
  { hidesValues = false }: { readonly hidesValues?: boolean } = {},
): TomlTable {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    const shownText = hidesValues ? hideValues(text) : text;
    throw new TsregError(renderTomlError(shownText, error), { code: 'toml' });
  }
}

/** Masks everything except keys and headers, without changing positions. */
function hideValues(text: string): string {
  // Text that ends in `=` may also be a part of a token in Base64.
  const keyOrHeader = /^\s*(?:\[{1,2}[\w.\s-]+\]{0,2}|[\w.-]+(?:\s+=|=(?!=|\s*$)))/;
  return text
    .split('\n')
    .map((line) => {
      const [head = ''] = keyOrHeader.exec(line) ?? [];
      return head + line.slice(head.length).replaceAll(/[^\s"']/g, '*');
    })
    .join('\n');
}
