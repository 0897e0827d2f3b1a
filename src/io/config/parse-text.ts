/** Parses configuration text, with cargo's errors for it. */
import { TsregError } from '../../core/errors/error.ts';
import { parseToml } from '../../core/toml/parse.ts';
import { renderTomlError, TomlSyntaxError } from '../../core/toml/syntax-error.ts';
import type { TomlTable } from '../../core/toml/value.ts';

/**
 * Parses `text`. For invalid TOML, throws `toml` with a message of several lines, including the invalid line without
 * tokens and secret keys. With `hidesValues`, it shows only that line's keys.
 */
export function parseConfigText(
  text: string,
  { hidesValues = false }: { readonly hidesValues?: boolean } = {},
): TomlTable {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    const shownText = hidesValues ? hideValues(text) : hideSecrets(text);
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
      return head + masked(line.slice(head.length));
    })
    .join('\n');
}

/**
 * Masks what follows a key such as `token`, `secret-key` or `MY_TOKEN`, without changing positions: to the end of the
 * line, or of a string of several lines. As the text is invalid, `=` may be missing.
 */
function hideSecrets(text: string): string {
  // Not the provider `"cargo:token"`.
  const key = /(?<![\w:-])[\w-]*(?:token|secret-key)["']?(?=[\s=:"']|$)[^\S\n]*(?:[=:]\s*)?/;
  const value = /"{3}[^]*?(?:"{3}|$)|'{3}[^]*?(?:'{3}|$)|[^\n]*/;
  return text.replaceAll(
    new RegExp(`(${key.source})(${value.source})`, 'gi'),
    (_, shown: string, secret: string) => shown + masked(secret),
  );
}

/** Masks everything except white space and quotes. */
function masked(text: string): string {
  return text.replaceAll(/[^\s"']/g, '*');
}
