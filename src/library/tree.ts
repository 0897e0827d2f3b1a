/** `tree` as a function. */
import { tree as runTree } from '../ops/tree.ts';
import { checkPackageFlags } from '../ops/workspace/select-packages.ts';
import { forestDocument, type TreeDocument } from '../tree/document.ts';
import { TsregError } from '../errors/error.ts';
import { cachedCall } from './cached-call.ts';
import { type CallOptions, OF_CALLS } from './call.ts';
import { either, NUMBER, oneOf, type OptionChecks, someOf, SWITCH, TEXTS } from './option-checks.ts';

/** What `tree` is asked for. */
export interface TreeOptions extends CallOptions {
  /** Each as behind `-p`: a package id specification, or a pattern of names. */
  readonly packages?: readonly string[] | undefined;
  /** All members. */
  readonly workspace?: boolean | undefined;
  /** Each as behind `--exclude`; only with `workspace`. */
  readonly exclude?: readonly string[] | undefined;
  /** Kinds of dependencies that are followed; all of them unless given. */
  readonly kinds?: readonly ('normal' | 'build' | 'dev')[] | undefined;
  /** True for features as nodes between packages. */
  readonly showFeatures?: boolean | undefined;
  /** Leaves procedural macros out. */
  readonly noProcMacro?: boolean | undefined;
  /** Target triples, or `all` alone for every platform; the configured one or the host unless given. */
  readonly targets?: readonly string[] | undefined;
  /** Package id specifications of what an inverted tree starts from. */
  readonly invert?: readonly string[] | undefined;
  /** True for an inverted tree of what is built more than once. Not together with `showFeatures`. */
  readonly duplicates?: boolean | undefined;
  /** Package id specifications of what is left out. */
  readonly prune?: readonly string[] | undefined;
  /** No deeper than so many levels below the roots; `workspace` for members alone. */
  readonly depth?: number | 'workspace' | undefined;
  /** `legacy` unless given. */
  readonly packageIdFormat?: 'legacy' | 'spec' | undefined;
}

const CHECKS: OptionChecks<TreeOptions> = {
  ...OF_CALLS,
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
 * What `tsreg tree --json` prints: the graph of a workspace as it is built. Creates or updates `Cargo.lock` and fetches
 * packages as that does. Rejects with a `TsregError` whose message and causes are cargo's. Cargo Book: cargo tree.
 */
export async function tree(options: TreeOptions): Promise<TreeDocument> {
  const bytes = await cachedCall('tree', { options, checks: CHECKS }, async (shared, context) => {
    const { packages = [], workspace = false, exclude = [], depth } = options;
    checkPackageFlags({ packages, workspace, exclude });
    if (typeof depth === 'number' && !(depth >= 0 && (Number.isInteger(depth) || depth === Infinity))) {
      throw new TsregError(`\`depth\` must be a whole number of levels, not \`${depth}\``, { code: 'usage' });
    }
    const forest = await runTree(
      {
        ...shared,
        lockfilePath: null,
        packages: { packages, workspace, exclude },
        asksForPackages: false,
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
    return Buffer.from(JSON.stringify(forestDocument(forest, { maxDepth, membersOnly })));
  });
  const document: TreeDocument = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return document;
}
