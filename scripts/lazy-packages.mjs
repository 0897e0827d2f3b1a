// esbuild gives `await import('package')` of a CommonJS package nothing but `default`; Node gives its names as well.
// So that both agree, such an import gets a module that exports the names, as Node finds them, one by one.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The esbuild plugin. */
export const lazyPackages = {
  name: 'lazy-packages',
  setup(builder) {
    builder.onResolve(
      { filter: /^[^./]/ },
      async ({ path: specifier, kind, namespace, importer, resolveDir }) => {
        if (kind !== 'dynamic-import' || namespace !== 'file' || importer.includes('node_modules'))
          return undefined;
        const resolved = await builder.resolve(specifier, { kind: 'import-statement', importer, resolveDir });
        if (resolved.external || resolved.errors.length > 0) return undefined;
        return { path: resolved.path, namespace: 'lazy-package' };
      },
    );
    builder.onLoad({ filter: /./, namespace: 'lazy-package' }, async ({ path: file }) => {
      const names = Object.keys(await import(pathToFileURL(file).href)).filter((name) =>
        /^[A-Za-z_$][\w$]*$/.test(name),
      );
      return {
        contents: `export { ${names.join(', ')} } from ${JSON.stringify(file)};`,
        resolveDir: path.dirname(file),
        loader: 'js',
      };
    });
  },
};
