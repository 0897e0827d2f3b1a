/** Checks of `[lints]`. Cargo Book: The Manifest Format, The lints section. */
import { type Message, Wording } from '../errors/wording.ts';
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Lints } from './raw-lints.ts';

/** The tools that cargo supports, in the order of its message. */
const TOOLS = ['cargo', 'clippy', 'rust', 'rustdoc'];

/** Checks tools, names and keys of lints. Throws `manifest` for an invalid name, else adds warnings. */
export function checkLints(lints: Lints, warnings: Message[]): void {
  for (const [tool, toolLints] of lints) {
    if (!TOOLS.includes(tool)) {
      warnings.push(
        `unrecognized lint tool \`lints.${tool}\`, specifying unrecognized tools may break in the future.\n` +
          `supported tools: ${TOOLS.join(', ')}`,
      );
      continue;
    }
    if (tool === 'cargo') {
      const unused = 'unused manifest key `lints.cargo` (may be supported in a future version)';
      warnings.push(
        new Wording(
          unused,
          `${unused}\n\n` +
            'this Cargo does not support nightly features, but if you\n' +
            'switch to nightly channel you can pass\n' +
            '`-Zcargo-lints` to enable this feature.',
        ),
      );
    }
    const spellings = new Map<string, string>();
    for (const [name, { config }] of toolLints) {
      checkLintSpelling(tool, name, { spellings, warnings });
      if (name.includes('::')) throw manifestProblem(wrongNameMessage(tool, name));
      for (const key of config.keys()) {
        // The only such setting that cargo passes on to rustc.
        if (tool === 'rust' && name === 'unexpected_cfgs' && key === 'check-cfg') continue;
        warnings.push(
          `unused manifest key: \`${sanitizeForTerminal(`lints.${tool}.${name}.${key}`, 'join')}\``,
        );
      }
    }
  }
}

/**
 * Warns about hyphens in the name of a lint, and about two spellings of one name. `spellings` collects them by name.
 */
function checkLintSpelling(
  tool: string,
  name: string,
  { spellings, warnings }: { readonly spellings: Map<string, string>; readonly warnings: Message[] },
): void {
  const current = name.replaceAll('-', '_');
  if (name !== current) {
    warnings.push(
      `\`lints.${tool}.${name}\` is deprecated in favor of \`lints.${tool}.${current}\` ` +
        'and will not work in a future edition',
    );
  }
  const earlier = spellings.get(current);
  if (earlier !== undefined) {
    warnings.push(
      `duplicate lint \`${earlier}\` in \`[lints.${tool}]\`, conflicts with \`${name}\` ` +
        'and will not work in a future edition',
    );
  }
  spellings.set(current, name);
}

/** Returns the message about a name with `::`, which names a tool itself. */
function wrongNameMessage(tool: string, name: string): string {
  const separator = name.indexOf('::');
  const prefix = name.slice(0, separator);
  const suffix = name.slice(separator + 2);
  const isMisplaced = tool === prefix || (tool === 'rust' && TOOLS.includes(prefix));
  return isMisplaced
    ? `\`lints.${tool}.${name}\` is not valid lint name; try \`lints.${prefix}.${suffix}\``
    : `\`lints.${tool}.${name}\` is not a valid lint name`;
}

/** Throws `manifest` if `check-cfg` of `unexpected_cfgs` is not a list of strings. */
export function checkExpectedCfgs(lints: Lints): void {
  const checkCfg = lints.get('rust')?.get('unexpected_cfgs')?.config.get('check-cfg');
  if (checkCfg === undefined) return;
  if (!Array.isArray(checkCfg) || !checkCfg.every((item) => typeof item === 'string')) {
    throw manifestProblem('`lints.rust.unexpected_cfgs.check-cfg` must be a list of string');
  }
}
