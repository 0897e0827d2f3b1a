/** `tree`: shows the dependency tree of a workspace. Cargo Book: cargo-tree(1). */
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { workspaceFlags } from '../shared/workspace/workspace-flags.ts';
import { rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { documentLine } from '../shared/document-line.ts';
import {
  FEATURE_FLAGS,
  MANIFEST_PATH_FLAGS,
  packageFlags,
  SHORT_TARGET_SUGGESTION,
  SILENT_SUGGESTION,
} from '../shared/common-flags.ts';
import { EDGE_WORDS, readTreeFlags } from './parse-flags.ts';

/** The flags of `tsreg tree`, and its run. */
export const TREE: Command = {
  name: 'tree',
  about: 'Show the dependency tree of a workspace',
  cargoAbout: 'Display a tree visualization of a dependency graph',
  network: 'optional',
  isCacheable: true,
  flags: [
    switchFlag('all', 'Deprecated, use --no-dedupe instead', { short: 'a', isHidden: true }),
    SILENT_SUGGESTION,
    switchFlag('no-dev-dependencies', 'Deprecated, use -e=no-dev instead', { isHidden: true }),
    valueFlag('edges', 'KINDS', {
      short: 'e',
      kind: 'list',
      delimiter: ',',
      help: 'Kinds of dependencies to show, separated by commas',
      cargoHelp: 'The kinds of dependencies to display',
      values: EDGE_WORDS,
    }),
    valueFlag('invert', 'SPEC', {
      short: 'i',
      kind: 'list',
      valueIsOptional: true,
      help: 'Show which packages depend on this package',
      cargoHelp: 'Invert the tree direction and focus on the given package',
    }),
    valueFlag('prune', 'SPEC', {
      kind: 'list',
      help: 'Leave out this package and its dependencies',
      cargoHelp: 'Prune the given package from the display of the dependency tree',
    }),
    valueFlag('depth', 'DEPTH', {
      help: 'How many levels to show; `workspace` shows only members',
      cargoHelp: 'Maximum display depth of the dependency tree',
    }),
    switchFlag('no-indent', 'Deprecated, use --prefix=none instead', { isHidden: true }),
    switchFlag('prefix-depth', 'Deprecated, use --prefix=depth instead', { isHidden: true }),
    valueFlag('prefix', 'PREFIX', {
      help: 'What to print before each package [default: indent]',
      cargoHelp: 'Change the prefix (indentation) of how each entry is displayed [default: indent]',
      values: ['depth', 'indent', 'none'],
    }),
    switchFlag('no-dedupe', 'Repeat the dependencies of a package each time it appears', {
      cargoHelp: 'Do not de-duplicate (repeats all shared dependencies)',
    }),
    switchFlag('duplicates', 'Show only packages that are built more than once (implies -i)', {
      cargoHelp: 'Show only dependencies which come in multiple versions (implies -i)',
      short: 'd',
      alias: 'duplicate',
    }),
    valueFlag('charset', 'CHARSET', {
      help: 'Characters to draw the tree with',
      cargoHelp: 'Character set to use in output',
      values: ['utf8', 'ascii'],
    }),
    valueFlag('format', 'FORMAT', {
      short: 'f',
      help: 'How to print each package [default: {p}]',
      cargoHelp: 'Format string used for printing dependencies [default: {p}]',
    }),
    switchFlag('json', 'Print the dependency graph as JSON'),
    switchFlag('print-version', 'Print version info and exit', {
      long: 'version',
      short: 'V',
      isHidden: true,
    }),
    ...packageFlags(
      {
        package: 'Package to start from; may be repeated',
        workspace: 'Show the trees of all workspace members',
        exclude: 'Workspace member to leave out; may be repeated',
      },
      {
        package: 'Package to be used as the root of the tree',
        workspace: 'Display the tree for all packages in the workspace',
        exclude: 'Exclude specific workspace members',
      },
    ),
    ...FEATURE_FLAGS,
    switchFlag('all-targets', 'Deprecated, use --target=all instead', { isHidden: true }),
    valueFlag('target', 'TRIPLE', {
      kind: 'list',
      valueIsOptional: true,
      help: 'Show the dependencies for this target, or for `all` targets [default: the host]',
      cargoHelp:
        'Filter dependencies matching the given target-triple (default host platform). ' +
        'Pass `all` to include all targets.',
      heading: 'Compilation Options',
    }),
    SHORT_TARGET_SUGGESTION,
    rejectedFlag('reverse', { flag: '--invert' }, { isAbsentInCargo: true }),
    rejectedFlag(
      'unsupported-short-depth',
      { flag: '--depth' },
      { long: null, short: 'L', isAbsentInCargo: true },
    ),
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, identity, config, shell, signal } = invocation;
  const flags = readTreeFlags(values, { report: shell, env: config.env });
  const { tree } = await import('./run.ts');
  const options = {
    ...workspaceFlags(invocation),
    ...flags,
    idForm: identity.idForm,
  };
  const dependencyTree = await tree(options, { report: shell, signal });
  if (isGiven(values, 'json')) {
    const { treeDocument } = await import('../../core/tree/document.ts');
    shell.writeOut(documentLine(treeDocument(dependencyTree, flags)));
  } else if (dependencyTree !== null) {
    const { parsePattern } = await import('../../core/tree/pattern.ts');
    const { printTree } = await import('../../core/tree/print-tree.ts');
    const pattern = parsePattern(valueOf(values, 'format') ?? '{p}');
    const charset = valueOf(values, 'charset') ?? (shell.usesUnicode ? 'utf8' : 'ascii');
    const format = {
      ...flags,
      pattern,
      charset: charset === 'ascii' ? 'ascii' : 'utf8',
      color: shell.colorsOutput,
    } as const;
    printTree(dependencyTree, format, (text) => shell.writeOut(text));
  }
}
