import type { Answer } from '../helpers/answer.ts';

const LACKS_A_PACKAGE =
  /^thread 'main' \(\d+\) panicked at \S+\/cargo_metadata\.rs:\d+:\d+:\nno entry found for key$/m;

/**
 * Returns whether cargo panicked while writing a document. It did not load a dependency that one of several
 * `--filter-platform` selects, of a package that only another platform reaches.
 */
export function lacksPackage({ stderr }: Answer): boolean {
  return LACKS_A_PACKAGE.test(stderr);
}

const LACKS_A_CONNECTION =
  /^thread 'main' \(\d+\) panicked at \S+\/ops\/cargo_tree\/graph\.rs:\d+:\d+:\nmissing dep graph connection for CLI feature /m;

/** Returns whether cargo panicked because its tree has no path to a dependency with a feature on the command line. */
export function lacksConnection({ stderr }: Answer): boolean {
  return LACKS_A_CONNECTION.test(stderr);
}

/** Returns whether a result is any tree. */
export function isTree({ status, stdout, stderr }: Answer): boolean {
  return status === 0 && stdout !== '' && !stderr.includes('error');
}

/** Returns whether a result is a document in which every dependency is one of its packages. */
export function isWhole({ status, stdout }: Answer): boolean {
  if (status !== 0) return false;
  const { packages, resolve } = JSON.parse(stdout) as {
    readonly packages: readonly { readonly id: string }[];
    readonly resolve: { readonly nodes: readonly { readonly dependencies: readonly string[] }[] };
  };
  const ids = new Set(packages.map(({ id }) => id));
  return resolve.nodes.every(({ dependencies }) => dependencies.every((id) => ids.has(id)));
}
