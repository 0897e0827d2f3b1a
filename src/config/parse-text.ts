/** TOML text of configuration, with errors as cargo words them here. */
import { TsregError } from '../errors/error.ts';
import { parseToml } from '../toml/parse.ts';
import { renderTomlError, TomlSyntaxError } from '../toml/syntax-error.ts';
import type { TomlTable } from '../toml/value.ts';

/** The table that a text holds; what is wrong with it is said in one message of several lines. */
export function parseConfigText(text: string): TomlTable {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    throw new TsregError(renderTomlError(text, error), { code: 'toml' });
  }
}
