// esbuild splits only ESM output: modules that several entries or lazy imports share stand in one chunk, and so
// exist once. This module turns such output into CommonJS, which Node starts faster.
//
// Imports become `const { a } = require('./chunk.cjs')`, so a call across chunks costs what a call inside of one
// costs; esbuild's own conversion puts a getter behind every use. It holds because chunks never import each
// other in a cycle and no exported binding is assigned later (the linter's import/no-mutable-exports).
import { isBuiltin } from 'node:module';
import { Script } from 'node:vm';

const STATIC_IMPORT = /^import\s+([^"';]+?)\s+from\s+"([^"]+)";$/gm;
const BARE_IMPORT = /^import "([^"]+)";$/gm;
const DYNAMIC_IMPORT = /\bimport\("([^"]+)"\)/g;
const EXPORT_LIST = /^export \{([^}]*)\};$/gm;

/** Packages that may be missing: they are imported when they are needed, from where the program is installed. */
export const OPTIONAL_PACKAGES = ['libsql'];

/** `./chunk.mjs` -> `./chunk.cjs`; a package that is not part of Node may not be left outside of the bundle. */
function target(specifier) {
  if (specifier.startsWith('.')) return specifier.replace(/\.mjs$/, '.cjs');
  if (isBuiltin(specifier)) return specifier;
  throw new Error(`the bundle would need the package ${specifier} when it runs`);
}

/** `a as b, c` -> `a: b, c` */
function properties(names) {
  return names.replace(/\s+as\s+/g, ': ').trim();
}

/** `exported as local` is the other way round in an export list. */
function exportedProperties(names) {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const [local, exported = local] = name.split(/\s+as\s+/);
      return exported === local ? local : `${exported}: ${local}`;
    })
    .join(', ');
}

function requireStatement(clause, specifier) {
  const module = `require(${JSON.stringify(target(specifier))})`;
  const [, first, named] = /^(?:([^{]+?)\s*,?\s*)?(?:\{([\s\S]*)\})?$/.exec(clause) ?? [];
  const lines = [];
  if (first !== undefined) lines.push(`const ${first.replace(/^\*\s+as\s+/, '')} = ${module};`);
  if (named !== undefined) lines.push(`const { ${properties(named)} } = ${module};`);
  return lines.join(' ');
}

const REQUIRED_CHUNK = /\brequire\("\.\/([^"/]+)\.cjs"\)/g;

/**
 * Puts files that are loaded together into one: to find, open and compile a file of its own takes Node longer than to
 * run most chunks. `files` has the names of CommonJS chunks without `.cjs`, and their texts; `groups` has for the name
 * of each file to make the names of its chunks. The chunk that is called as its file is what that file exports.
 */
export function joinChunks(files, groups) {
  const groupOf = new Map(groups.flatMap(([group, names]) => names.map((name) => [name, group])));
  const redirect = (text, own) =>
    text.replace(REQUIRED_CHUNK, (statement, name) => {
      const group = groupOf.get(name);
      if (group === undefined) return statement;
      return group === own ? `chunk("${name}")` : `require("./${group}.cjs").chunk("${name}")`;
    });
  const joined = groups.map(([group, names]) => {
    // The parentheses make V8 compile a function at once that would otherwise be read twice.
    const functions = names.map(
      (name) => `${JSON.stringify(name)}: (function (exports) {\n${redirect(files.get(name), group)}}),\n`,
    );
    const exported = names.includes(group)
      ? `Object.assign(exports, chunk(${JSON.stringify(group)}));\n`
      : '';
    return [
      group,
      `"use strict";\nconst chunks = {\n${functions.join('')}};\nconst loaded = Object.create(null);\n` +
        'function chunk(name) {\n  if (!(name in loaded)) chunks[name]((loaded[name] = {}));\n  return loaded[name];\n}\n' +
        `exports.chunk = chunk;\n${exported}`,
    ];
  });
  const others = [...files].filter(([name]) => !groupOf.has(name));
  return new Map([...others.map(([name, text]) => [name, redirect(text, null)]), ...joined]);
}

/** What esbuild leaves of comments, which it writes as they are, where it has escapes in all strings. */
const COMMENT_LINE = /^\s*(?:\/\*|\*|\/\/).*[^\0-\x7f].*$/gm;
const BEYOND_ASCII = /[^\0-\x7f]/g;

/**
 * The text of one ESM chunk made by esbuild (not minified), as CommonJS, its comments in ASCII: one other character, and
 * V8 keeps all of a text in twice the memory. Throws if the result is not a script.
 */
export function toCommonJs(text, name) {
  const converted = text
    .replace(COMMENT_LINE, (line) => line.replace(BEYOND_ASCII, '?'))
    .replace(STATIC_IMPORT, (_, clause, specifier) => requireStatement(clause, specifier))
    .replace(BARE_IMPORT, (_, specifier) => `require(${JSON.stringify(target(specifier))});`)
    .replace(DYNAMIC_IMPORT, (statement, specifier) =>
      OPTIONAL_PACKAGES.includes(specifier)
        ? statement
        : `Promise.resolve().then(() => require(${JSON.stringify(target(specifier))}))`,
    )
    .replace(EXPORT_LIST, (_, names) => `Object.assign(exports, { ${exportedProperties(names)} });`);
  const script = `"use strict";\n${converted}`;
  new Script(`(function (exports, require, module, __filename, __dirname) {${script}\n})`, {
    filename: name,
  });
  return script;
}
