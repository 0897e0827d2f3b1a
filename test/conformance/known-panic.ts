import type { Answer } from '../helpers/answer.ts';

const LACKS_A_PACKAGE =
  /^thread 'main' \(\d+\) panicked at \S+\/cargo_metadata\.rs:\d+:\d+:\nno entry found for key$/m;

/**
 * True if cargo broke off in the middle of its document: a dependency that one of several `--filter-platform` takes,
 * of a package that only another one leads to, was not read.
 */
export function lacksPackage({ stderr }: Answer): boolean {
  return LACKS_A_PACKAGE.test(stderr);
}

const LACKS_A_CONNECTION =
  /^thread 'main' \(\d+\) panicked at \S+\/ops\/cargo_tree\/graph\.rs:\d+:\d+:\nmissing dep graph connection for CLI feature /m;

/** True if cargo found no way in its tree to a dependency of which the command line names a feature. */
export function lacksConnection({ stderr }: Answer): boolean {
  return LACKS_A_CONNECTION.test(stderr);
}

/** True if an answer is some tree. */
export function isTree({ status, stdout, stderr }: Answer): boolean {
  return status === 0 && stdout !== '' && !stderr.includes('error');
}

/** True if an answer is a document whose every dependency is one of its packages. */
export function isWhole({ status, stdout }: Answer): boolean {
  if (status !== 0) return false;
  const { packages, resolve } = JSON.parse(stdout) as {
    readonly packages: readonly { readonly id: string }[];
    readonly resolve: { readonly nodes: readonly { readonly dependencies: readonly string[] }[] };
  };
  const ids = new Set(packages.map(({ id }) => id));
  return resolve.nodes.every(({ dependencies }) => dependencies.every((id) => ids.has(id)));
}
