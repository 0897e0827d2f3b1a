/** `why`: shows why a package is in the dependency graph. */
import { type Command, isGiven, type Invocation, requiredValueOf, valuesOf } from '../shared/command.ts';
import {
  FEATURE_FLAGS,
  MANIFEST_PATH_FLAGS,
  packageFlags,
  SHORT_TARGET_SUGGESTION,
  SILENT_SUGGESTION,
} from '../shared/common-flags.ts';
import type { Report } from '../../core/report/report.ts';
import { positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { missingTarget } from '../shared/workspace/missing-values.ts';
import { packageSelection } from '../shared/workspace/package-selection.ts';
import { workspaceFlags } from '../shared/workspace/workspace-flags.ts';
import type { WhyResult } from './run.ts';

const PACKAGE_TEXTS = {
  package: 'Package to start from; may be repeated',
  workspace: 'Start from all workspace members',
  exclude: 'Workspace member to leave out; may be repeated',
};

/** The flags of `tsreg why`, and its run. */
export const WHY: Command = {
  name: 'why',
  about: 'Show why a package is a dependency',
  network: 'optional',
  isCacheable: true,
  flags: [
    switchFlag('all', 'Show all paths, not only the shortest ones', { short: 'a' }),
    switchFlag('json', 'Print the paths as JSON'),
    SILENT_SUGGESTION,
    positionalFlag('spec', 'SPEC', {
      kind: 'value',
      isRequired: true,
      help: 'Package to explain, such as `log` or `log@0.4`',
      heading: 'Package Selection',
    }),
    ...packageFlags(PACKAGE_TEXTS, PACKAGE_TEXTS),
    ...FEATURE_FLAGS,
    valueFlag('target', 'TRIPLE', {
      kind: 'list',
      valueIsOptional: true,
      help: 'Follow the dependencies for this target, or for `all` targets [default: the host]',
      heading: 'Compilation Options',
    }),
    SHORT_TARGET_SUGGESTION,
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, identity, config, shell, signal } = invocation;
  const targets = valuesOf(values, 'target');
  if (isGiven(values, 'target') && targets.length === 0) throw missingTarget({ env: config.env });
  const { why } = await import('./run.ts');
  const options = {
    ...workspaceFlags(invocation),
    ...packageSelection(values),
    spec: requiredValueOf(values, 'spec'),
    targets,
    all: isGiven(values, 'all'),
    idForm: identity.idForm,
  };
  const result = await why(options, { report: shell, signal });
  if (isGiven(values, 'json')) {
    shell.writeOut(`${JSON.stringify(result.document)}\n`);
  } else {
    const { whyText } = await import('./print.ts');
    shell.writeText(whyText(result, { usesUnicode: shell.usesUnicode, width: shell.outputWidth }));
  }
  reportRest(result, shell);
}

/** Reports that there are more paths, or more packages that match. */
function reportRest({ document, unneeded, moreFlags }: WhyResult, shell: Report): void {
  for (const { name, version, paths, complete } of document.packages) {
    if (!complete) shell.note(`there are more than these ${paths.length} paths to \`${name} v${version}\``);
  }
  if (unneeded.length === 0) return;
  const list = unneeded.map((title) => `\`${title}\``).join(', ');
  shell.note(`in \`Cargo.lock\`, but not needed here: ${list}`, `to search more of it, add \`${moreFlags}\``);
}
