/** Flags of the program that print information instead of running a command: `-V`, `--list` and `-Z help`. */
import { type CommandEntry, isGiven, valuesOf } from '../commands/shared/command.ts';
import type { FlagValues } from '../commands/shared/flag.ts';
import type { Identity } from '../commands/shared/identity.ts';
import {
  allowsUnstable,
  CHANNELS_LINK,
  HOW_TO_ENABLE,
  releaseChannel,
  SUPPORTED_UNSTABLE_FLAGS,
} from '../commands/shared/unstable-flags.ts';
import { versionText } from '../commands/version/print.ts';
import { configureRun, ignoringErrors, type RunContext } from './configure-run.ts';

/** The context of a run, and the commands that it can list. */
export interface InformationContext extends RunContext {
  readonly identity: Identity;
  readonly commands: readonly CommandEntry[];
}

/** Prints the information that a flag requests. Returns false, and prints nothing, if there is no such flag. */
export async function printInformation(values: FlagValues, context: InformationContext): Promise<boolean> {
  const { config, env, identity, shell } = context;
  const isVerbose = isGiven(values, 'verbose');
  const wantsUnstableHelp = valuesOf(values, 'unstable-features')[0] === 'help';
  const wantsVersion = isGiven(values, 'print-version');
  if (!wantsUnstableHelp && !wantsVersion && !isGiven(values, 'list-commands')) return false;
  ignoringErrors(() => configureRun(values, context));
  if (wantsUnstableHelp) shell.writeOut(unstableHelp(releaseChannel(env), identity));
  else if (wantsVersion) shell.writeOut(await versionText(identity, { isVerbose }));
  else {
    const { commandList } = await import('./command-list.ts');
    shell.writeText(await commandList({ config, isVerbose }, context));
  }
  return true;
}

/** Returns the output of `-Z help`. cargo lists the flags even on the stable channel. */
function unstableHelp(channel: string, { program }: Identity): string {
  const flags = [...SUPPORTED_UNSTABLE_FLAGS].map(([name, help]) => `    -Z ${name.padEnd(16)}  ${help}\n`);
  if (program === 'tsreg') {
    const note = allowsUnstable(channel) ? '' : `\nUnstable flags are turned off: ${HOW_TO_ENABLE}.\n`;
    return `Unstable flags:\n\n${flags.join('')}${note}`;
  }
  const note = allowsUnstable(channel)
    ? ''
    : '\nUnstable flags are only available on the nightly channel of Cargo, ' +
      `but this is the \`${channel}\` channel.\n${CHANNELS_LINK}\n`;
  return `Available unstable (nightly-only) flags:\n\n${flags.join('')}${note}`;
}
