/** `tree` as a function. */
import { tree as runTree } from '../commands/tree/run.ts';
import { checkPackageFlags } from '../commands/shared/workspace/select-packages.ts';
import { treeDocument, type TreeDocument } from '../core/tree/document.ts';
import { TsregError } from '../core/errors/error.ts';
import { cachedCall } from './cached-call.ts';
import { type CallOptions, CALL_CHECKS } from './call.ts';
import { either, NUMBER, oneOf, type OptionChecks, someOf, SWITCH, TEXTS } from './option-checks.ts';

/** Options of `tree`. */
export interface TreeOptions extends CallOptions {
  /** Values as for `-p`: package id specifications, or name patterns. */
  readonly packages?: readonly string[] | undefined;
  /** Selects all members. */
  readonly workspace?: boolean | undefined;
  /** Values as for `--exclude`; only with `workspace`. */
  readonly exclude?: readonly string[] | undefined;
  /** Kinds of dependencies to follow; all by default. */
  readonly kinds?: readonly ('normal' | 'build' | 'dev')[] | undefined;
  /** Shows features as nodes between packages. */
  readonly showFeatures?: boolean | undefined;
  /** Leaves out procedural macros. */
  readonly noProcMacro?: boolean | undefined;
  /** Target triples, or only `all` for every platform; by default the configured target or the host. */
  readonly targets?: readonly string[] | undefined;
  /** Package id specifications of the roots of an inverted tree. */
  readonly invert?: readonly string[] | undefined;
  /** Returns an inverted tree of packages that are built more than once. Not together with `showFeatures`. */
  readonly duplicates?: boolean | undefined;
  /** Package id specifications of packages to leave out. */
  readonly prune?: readonly string[] | undefined;
  /** Maximum number of levels below the roots; `workspace` for members only. */
  readonly depth?: number | 'workspace' | undefined;
  /** `legacy` by default. */
  readonly packageIdFormat?: 'legacy' | 'spec' | undefined;
}

const CHECKS: OptionChecks<TreeOptions> = {
  ...CALL_CHECKS,
  packages: TEXTS,
  workspace: SWITCH,
  exclude: TEXTS,
  kinds: someOf('normal', 'build', 'dev'),
  showFeatures: SWITCH,
  noProcMacro: SWITCH,
  targets: TEXTS,
  invert: TEXTS,
  duplicates: SWITCH,
  prune: TEXTS,
  depth: either(NUMBER, oneOf('workspace')),
  packageIdFormat: oneOf('legacy', 'spec'),
};

/**
 * Returns the document of `tsreg tree --json`: the graph of a workspace as it is built. Updates `Cargo.lock` and
 * fetches packages, as the command does. Rejects with a `TsregError` that has cargo's message and causes. Cargo Book:
 * cargo tree.
 */
export async function tree(options: TreeOptions = {}): Promise<TreeDocument> {
  const bytes = await cachedCall('tree', { options, checks: CHECKS }, async (shared, context) => {
    const { packages = [], workspace = false, exclude = [], depth } = options;
    checkPackageFlags({ packages, workspace, exclude });
    if (typeof depth === 'number' && !(depth >= 0 && (Number.isInteger(depth) || depth === Infinity))) {
      throw new TsregError(`\`depth\` must be a whole number of levels, not \`${depth}\``, { code: 'usage' });
    }
    const dependencyTree = await runTree(
      {
        ...shared,
        lockfilePath: null,
        packages: { packages, workspace, exclude },
        listsPackages: false,
        kinds: new Set(options.kinds ?? ['normal', 'build', 'dev']),
        showsFeatures: options.showFeatures ?? false,
        hidesProcMacros: options.noProcMacro ?? false,
        targets: options.targets ?? [],
        invert: options.invert ?? [],
        duplicates: options.duplicates ?? false,
        prune: options.prune ?? [],
        idForm: options.packageIdFormat ?? 'legacy',
      },
      context,
    );
    const membersOnly = depth === 'workspace';
    const maxDepth = typeof depth === 'number' ? depth : Number.POSITIVE_INFINITY;
    return Buffer.from(JSON.stringify(treeDocument(dependencyTree, { maxDepth, membersOnly })));
  });
  const document: TreeDocument = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return document;
}
