// Some of Node's modules are not part of its own start, and cost milliseconds when they are first required: 12 for
// all of these. A run that needs none of them, which is the common one, should not pay for an `import` at the top
// of a file. So such an import gets functions that require the module when they are called.
//
// Only functions and tables of numbers can be imported so; anything else (classes, the module as a whole) is
// refused by the bundler as a missing export, and is to be had by `await import()`. Imports of packages stay as
// they are.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

const MODULES = ['child_process', 'crypto', 'fs/promises', 'os', 'timers/promises', 'zlib'];

function lazyExport(module, name, value) {
  if (typeof value === 'function' && /^[a-z]/.test(name))
    return `export function ${name}(...args) { return require('node:${module}').${name}(...args); }`;
  const isNumbers =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'number');
  // Such numbers are part of the ABI: they do not depend on the release of Node.
  if (module === 'zlib' && isNumbers) return `export const ${name} = ${JSON.stringify(value)};`;
  return '';
}

/** The esbuild plugin. */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(builder) {
    const filter = new RegExp(`^(?:node:)?(?:${MODULES.join('|')})$`);
    builder.onResolve({ filter }, ({ path, kind, namespace, importer }) =>
      kind === 'import-statement' && namespace === 'file' && !importer.includes('node_modules')
        ? { path: path.replace(/^node:/, ''), namespace: 'lazy-builtin', sideEffects: false }
        : undefined,
    );
    builder.onLoad({ filter: /./, namespace: 'lazy-builtin' }, ({ path }) => {
      const exported = Object.entries(load(`node:${path}`));
      return {
        contents: exported.map(([name, value]) => lazyExport(path, name, value)).join('\n'),
        loader: 'js',
      };
    });
  },
};
