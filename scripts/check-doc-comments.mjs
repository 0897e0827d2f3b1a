// Checks that every export of src has a doc comment directly above it. Constants on consecutive lines share the comment
// above the first one. A re-exported name has its comment in the file that declares it.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { readSources } from './check-layers.mjs';

function namesOf({ declaration, specifiers }) {
  if (declaration === null) return specifiers.map(({ local }) => local.name);
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name);
  return [declaration.id.name];
}

function lineOf(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/** Returns one line for each export without a doc comment. `files` maps paths relative to src to their texts. */
export function findUndocumentedExports(files) {
  const found = [];
  for (const [file, text] of files) {
    const { program, comments } = parseSync(file, text);
    const docEnds = new Set(
      comments
        .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
        .map(({ end }) => end + /^[ \t]*\r?\n?/.exec(text.slice(end))[0].length),
    );
    // Overloads share one comment, above the first of them.
    const documented = new Set();
    let groupEnd = -1;
    for (const statement of program.body) {
      if (statement.type !== 'ExportNamedDeclaration' || statement.source !== null) continue;
      const names = namesOf(statement);
      const constant = statement.declaration?.type === 'VariableDeclaration';
      if (docEnds.has(statement.start) || (constant && statement.start === groupEnd)) {
        for (const name of names) documented.add(name);
        if (constant) groupEnd = text.indexOf('\n', statement.end) + 1;
      }
      for (const name of names)
        if (!documented.has(name))
          found.push(`src/${file}:${lineOf(text, statement.start)} ${name} has no doc comment`);
    }
  }
  return found;
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  const problems = findUndocumentedExports(readSources(path.dirname(import.meta.dirname)));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
