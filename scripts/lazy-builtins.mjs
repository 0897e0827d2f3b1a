// Some of Node's modules are not part of its own start, and cost milliseconds when they are first required: 3 for
// `crypto`, 5 for `zlib`, 10 for `tls`. A run that needs none of them, which is the common one, should not pay for
// an `import` at the top of a file. So such an import gets functions that require the module when they are called.
//
// What is no function (a class, a string, the module as a whole) is had at once by who imports it: the module is
// then loaded with the file. The constants of `os` and `zlib` are not. Imports of packages stay as they are.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

const MODULES = [
  ...[
    'child_process',
    'crypto',
    'dns',
    'fs/promises',
    'http',
    'http2',
    'https',
    'net',
    'os',
    'stream/promises',
  ],
  ...['timers/promises', 'tls', 'v8', 'worker_threads', 'zlib'],
];

function lazyExport(module, name, value) {
  const loaded = `require('node:${module}')`;
  if (typeof value === 'function' && /^[a-z]/.test(name) && name !== 'default')
    return `export function ${name}(...args) { return ${loaded}.${name}(...args); }`;
  // The numbers of zlib are part of its ABI: they do not depend on the release of Node.
  if (module === 'zlib' && name === 'constants') return `export const constants = ${JSON.stringify(value)};`;
  if (module === 'os' && name === 'constants') {
    const getters = Object.keys(value).map((key) => `get ${key}() { return ${loaded}.constants.${key}; }`);
    return `export const constants = { ${getters.join(', ')} };`;
  }
  // Marked as pure, it goes away where nobody imports it.
  const now = (expression) => `/* @__PURE__ */ (() => ${expression})()`;
  return name === 'default'
    ? `export default ${now(loaded)};`
    : `export const ${name} = ${now(`${loaded}.${name}`)};`;
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
      const module = load(`node:${path}`);
      const exported = [...Object.entries(module), ['default', module]];
      return {
        contents: exported.map(([name, value]) => lazyExport(path, name, value)).join('\n'),
        loader: 'js',
      };
    });
  },
};
