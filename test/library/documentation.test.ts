import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtLibrary } from '../helpers/built-library.ts';
import { readPages } from '../helpers/code-blocks.ts';
import { projectRoot } from '../helpers/project-root.ts';

const page = readPages().find(({ name }) => name === 'docs/library.md');
const text = page?.text ?? '';
const examples = (page?.blocks ?? [])
  .filter(({ language }) => language === 'ts')
  .map(({ lines }) => lines.join('\n'));
const functions = Object.entries(await builtLibrary())
  .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
  .map(([name]) => name);

const HERE =
  'declare const here: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };\n';

/** Returns the compiler output for programs that import the package by name. */
function compile(programs: readonly string[], ...flags: readonly string[]): string {
  // Inside its own folder, the package can be imported by name.
  const base = path.join(projectRoot, '.tmp');
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(path.join(base, 'examples-'));
  try {
    const files = programs.map((program, at) => {
      const file = path.join(folder, `example-${at}.ts`);
      writeFileSync(file, HERE + program);
      return file;
    });
    const tsc = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const { stdout } = spawnSync(process.execPath, [tsc, '--ignoreConfig', ...options, ...flags, ...files], {
      cwd: projectRoot,
      encoding: 'utf8',
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('docs/library.md', () => {
  it('has a row and an example for every function', () => {
    expect(functions.length).toBeGreaterThan(15);
    const missing = functions.filter(
      (name) =>
        !text.includes(`| [\`${name}\`](#${name.toLowerCase()}) |`) ||
        !text.includes(`\n### ${name}\n`) ||
        !examples.some((example) => example.includes(`${name}(`)),
    );
    expect(missing).toEqual([]);
  });

  it('has examples that compile', () => {
    expect(compile(examples)).toBe('');
    expect(
      compile(["import { metadata } from 'tsreg';\nawait metadata({ ...here, noDep: true });"]),
    ).toContain('TS2561');
  });

  it('covers functions whose optional options may be undefined with exactOptionalPropertyTypes', () => {
    const called = functions.filter((name) => name !== 'formatWarning');
    const program = [
      `import { ${called.join(', ')} } from 'tsreg';`,
      'type Unsaid<O> = { readonly [K in keyof O as object extends Pick<O, K> ? K : never]: undefined };',
      'declare function unsaid<O>(of: (options: O) => unknown): Unsaid<O>;',
      "const given = { ...here, query: '', spec: '' };",
      ...called.map((name) => `await ${name}({ ...given, ...unsaid(${name}) });`),
      'await metadata({ ...here, report: { status: undefined, showsProgress: undefined } });',
    ];
    expect(compile([program.join('\n')], '--exactOptionalPropertyTypes')).toBe('');
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
    const options = readdirSync(folder).flatMap((file) => {
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
