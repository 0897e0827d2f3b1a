import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtLibrary } from '../helpers/built-library.ts';
import { readPages } from '../helpers/code-blocks.ts';
import { compilePrograms } from '../helpers/compile-programs.ts';
import { WITHOUT_CALL_OPTIONS } from '../helpers/library-functions.ts';
import { projectRoot } from '../helpers/project-root.ts';

const page = readPages().find(({ name }) => name === 'docs/library.md');
const text = page?.text ?? '';
const examples = (page?.blocks ?? [])
  .filter(({ language }) => language === 'ts')
  .map(({ lines }) => lines.join('\n'));
const functions = Object.entries(await builtLibrary())
  .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
  .map(([name]) => name);

/** The arguments before the options. */
const FIRST_ARGUMENTS: Readonly<Record<string, string>> = {
  extract: "'a', 'dir'",
  manifest: "'a'",
  tarball: "'a'",
  versions: "'a'",
};

describe('docs/library.md', () => {
  it('has a row and an example for every function', () => {
    expect(functions.length).toBeGreaterThan(15);
    const missing = functions.filter(
      (name) =>
        !new RegExp(`^\\| \\[\`${name}\`\\]\\(#[a-z-]+\\) \\|`, 'm').test(text) ||
        !(text.includes(`\n### ${name}\n`) || WITHOUT_CALL_OPTIONS.has(name)) ||
        !examples.some((example) => example.includes(`${name}(`)),
    );
    expect(missing).toEqual([]);
  });

  it('has examples that compile', () => {
    expect(compilePrograms(examples)).toBe('');
    expect(
      compilePrograms(["import { metadata } from 'tsreg';\nawait metadata({ noDep: true });"]),
    ).toContain('TS2561');
  });

  it('covers functions whose optional options may be undefined with exactOptionalPropertyTypes', () => {
    const called = functions.filter((name) => !WITHOUT_CALL_OPTIONS.has(name));
    const program = [
      `import { ${called.join(', ')} } from 'tsreg';`,
      'type Unsaid<O> = { readonly [K in keyof O as object extends Pick<O, K> ? K : never]: undefined };',
      'declare function unsaid<O>(of: (options: O) => unknown): Unsaid<O>;',
      "const given = { query: '', spec: '' };",
      ...called.map((name) =>
        FIRST_ARGUMENTS[name] === undefined
          ? `await ${name}({ ...given, ...unsaid(${name}) });`
          : `await ${name}(${FIRST_ARGUMENTS[name]}, { ...unsaid((options: object & Parameters<typeof ${name}>[${FIRST_ARGUMENTS[name].split(',').length}]) => options) });`,
      ),
      'await metadata({ report: { status: undefined, showsProgress: undefined } });',
    ];
    expect(compilePrograms([program.join('\n')], '--exactOptionalPropertyTypes')).toBe('');
  });

  it('explains every error code', () => {
    const source = readFileSync(path.join(projectRoot, 'src/core/errors/error.ts'), 'utf8');
    const codes = [...source.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, code]) => code);
    const errors = text.slice(text.indexOf('\n## Errors\n'));
    const rows = [...errors.matchAll(/^\| `([a-z-]+)` \| [^|]+ \|$/gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(15);
    expect(rows.filter((row) => codes.includes(row))).toEqual(codes);
  });

  it('names every option', () => {
    const folder = path.join(projectRoot, 'src', 'library');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const options = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const source = readFileSync(path.join(folder, file), 'utf8');
        const bodies = source.matchAll(/^export interface \w*Options[^{]*\{\n([\s\S]*?)^\}/gm);
        return [...bodies].flatMap(([, body = '']) =>
          Array.from(body.matchAll(/^ {2}readonly (\w+)\??:/gm), ([, option = '']) => option),
        );
      });
    expect(options).toContain('trustedPublishing');
    const internal = new Set(['toolchain', 'verbosity']);
    expect(options.filter((option) => !internal.has(option) && !text.includes(`\`${option}\``))).toEqual([]);
  });
});
