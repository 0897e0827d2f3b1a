/** Parser of platforms and `cfg(…)` expressions. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { formatCfgExpr, type Cfg, type CfgExpr, type Platform } from './platform.ts';

/** cargo has no limit, but its stack has one too. */
const MAX_DEPTH = 500;

/**
 * Parses the key of a `[target.KEY]` table. Throws `manifest` with cargo's message. Cargo Book: Specifying
 * Dependencies, Platform specific dependencies.
 */
export function parsePlatform(text: string): Platform {
  if (text.startsWith('cfg(') && text.endsWith(')')) {
    const expr = parseCfgExpr(text.slice('cfg('.length, -1));
    return { kind: 'cfg', expr, text: `cfg(${formatCfgExpr(expr)})` };
  }
  const invalidChar = /[^\p{Alphabetic}\p{N}_.-]/u.exec(text);
  if (invalidChar !== null) {
    throw problem(
      text,
      text.includes('(')
        ? 'invalid target specifier: unexpected `(` character, cfg expressions must start with `cfg(`'
        : `invalid target specifier: unexpected character ${invalidChar[0]} in target name`,
    );
  }
  return { kind: 'name', name: text, text };
}

function parseCfgExpr(text: string): CfgExpr {
  const parser = new CfgParser(text);
  const expr = parser.expr();
  parser.end();
  return expr;
}

/** Parses one configuration value, as `--cfg` of rustc accepts it. Throws `manifest` with cargo's message. */
export function parseCfg(text: string): Cfg {
  const parser = new CfgParser(text);
  const cfg = parser.cfg();
  parser.end();
  return cfg;
}

/** A token of an expression. `kind` is its name in messages. */
type Token =
  | { readonly kind: '`(`' | '`)`' | '`,`' | '`=`' }
  | { readonly kind: 'an identifier'; readonly name: string; readonly raw: boolean }
  | { readonly kind: 'a string'; readonly value: string };

/** A recursive descent parser. Each method reads from `#pos`, and throws `manifest` with cargo's message. */
class CfgParser {
  readonly #text: string;
  #pos = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads an expression. */
  expr(): CfgExpr {
    const start = this.#pos;
    const token = this.#next();
    if (token === null) throw this.#ended('start of a cfg expression');
    if (token.kind === 'an identifier' && !token.raw) {
      if (token.name === 'all' || token.name === 'any') return { kind: token.name, exprs: this.#list() };
      if (token.name === 'not') {
        this.#expect('`(`');
        const expr = this.#innerExpr();
        this.#expect('`)`');
        return { kind: 'not', expr };
      }
    }
    // All else is a value, which `cfg` reads from its start. `all`, `any` and `not` with `r#` are names.
    this.#pos = start;
    const cfg = this.cfg();
    const isKeyword = cfg.kind === 'name' && (cfg.name === 'true' || cfg.name === 'false');
    return isKeyword ? { kind: cfg.name === 'true' ? 'true' : 'false' } : { kind: 'value', cfg };
  }

  /** Reads an expression inside of another. */
  #innerExpr(): CfgExpr {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw problem(this.#text, 'too many nested expressions');
    const expr = this.expr();
    this.#depth--;
    return expr;
  }

  /** Reads one configuration value. */
  cfg(): Cfg {
    const token = this.#next();
    if (token === null) throw this.#ended('identifier');
    if (token.kind !== 'an identifier') throw this.#unexpected('identifier', token);
    const { name, raw } = token;
    if (!this.#eat('`=`')) return { kind: 'name', name, raw };
    const value = this.#next();
    if (value === null) throw this.#ended('a string');
    if (value.kind !== 'a string') throw this.#unexpected('a string', value);
    return { kind: 'key-pair', name, raw, value: value.value };
  }

  /** Throws if there is more text. */
  end(): void {
    this.#skipSpaces();
    if (this.#pos < this.#text.length) {
      throw problem(
        this.#text,
        `unexpected content \`${this.#text.slice(this.#pos)}\` found after cfg expression`,
      );
    }
  }

  /** Reads expressions in parentheses, with commas between them. */
  #list(): CfgExpr[] {
    const exprs: CfgExpr[] = [];
    this.#expect('`(`');
    while (!this.#eat('`)`')) {
      exprs.push(this.#innerExpr());
      if (!this.#eat('`,`')) {
        this.#expect('`)`');
        break;
      }
    }
    return exprs;
  }

  #expect(kind: Token['kind']): void {
    const token = this.#next();
    if (token === null) throw this.#ended(kind);
    if (token.kind !== kind) throw this.#unexpected(kind, token);
  }

  /** Skips a token of one character if it is next. Returns true if it was. */
  #eat(kind: '`)`' | '`,`' | '`=`'): boolean {
    this.#skipSpaces();
    if (this.#text.charAt(this.#pos) !== kind.charAt(1)) return false;
    this.#pos++;
    return true;
  }

  #skipSpaces(): void {
    while (this.#text.charAt(this.#pos) === ' ') this.#pos++;
  }

  /** Reads a token; returns null at the end. */
  #next(): Token | null {
    this.#skipSpaces();
    const text = this.#text;
    const char = text.charAt(this.#pos);
    switch (char) {
      case '':
        return null;
      case '(':
      case ')':
      case ',':
      case '=':
        this.#pos++;
        return { kind: `\`${char}\`` };
      case '"': {
        const end = text.indexOf('"', this.#pos + 1);
        if (end === -1) throw problem(text, 'unterminated string in cfg');
        const value = text.slice(this.#pos + 1, end);
        this.#pos = end + 1;
        return { kind: 'a string', value };
      }
    }
    const raw = text.startsWith('r#', this.#pos);
    if (raw) this.#pos += 2;
    const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
    identifier.lastIndex = this.#pos;
    const name = identifier.exec(text)?.[0];
    if (name === undefined) {
      if (this.#pos >= text.length) throw this.#ended('identifier');
      const invalidChar = String.fromCodePoint(present(text.codePointAt(this.#pos), 'the next character'));
      throw problem(
        text,
        `unexpected character \`${invalidChar}\` in cfg, expected parens, a comma, an identifier, or a string`,
      );
    }
    this.#pos += name.length;
    return { kind: 'an identifier', name, raw };
  }

  #ended(expected: string): TsregError {
    return problem(this.#text, `expected ${expected}, but cfg expression ended`);
  }

  #unexpected(expected: string, token: Token): TsregError {
    return problem(this.#text, `expected ${expected}, found ${token.kind}`);
  }
}

function problem(text: string, reason: string): TsregError {
  return new TsregError(`failed to parse \`${text}\` as a cfg expression: ${reason}`, { code: 'manifest' });
}
