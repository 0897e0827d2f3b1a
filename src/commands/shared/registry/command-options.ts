/** Flags and options that commands on the web API of a registry share. */
import { Secret } from '../../../io/config/secret.ts';
import type { Consent } from './confirm-plan.ts';
import type { RegistryCommandOptions } from './open-registry.ts';
import type { RegistryFlags } from './select-registry.ts';
import { type Invocation, isGiven, valueOf, valuesOf } from '../command.ts';
import { askOnTerminal } from '../../../io/terminal/confirm.ts';
import { parseDuration } from '../duration.ts';
import { type Flag, type FlagValues, switchFlag, valueFlag } from '../flag.ts';

/** A token that overrides the configured one. */
export const TOKEN_FLAG: Flag = valueFlag('token', 'TOKEN', {
  help: 'Token to use instead of the stored one',
  cargoHelp: 'API token to use when authenticating',
});

/** How long to wait for a busy registry. */
export const MAX_WAIT_FLAG: Flag = valueFlag('max-wait', 'DURATION', {
  help: 'Retry for this long while the registry is busy, such as `5m`',
});

/** Returns the milliseconds of `--max-wait`; null without it, also for a command that does not have it. */
export function maxWaitMs(values: FlagValues): number | null {
  const text = valueOf(values, 'max-wait');
  return text === null ? null : parseDuration(text, '--max-wait');
}

/** Skips the confirmation. */
export const YES_FLAG: Flag = switchFlag('yes', 'Skip the confirmation');

/** Returns the options that all of these commands share. */
export function registryCommandOptions(
  invocation: Invocation,
): RegistryCommandOptions & { readonly registry: RegistryFlags } {
  const { values, config, offline, shell, identity } = invocation;
  const token = valueOf(values, 'token');
  return {
    config,
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    verbosity: shell.verbosity,
    token: token === null ? null : new Secret(token),
    isCargo: identity.program === 'cargo',
    maxWaitMs: maxWaitMs(values),
    registry: { registry: valueOf(values, 'registry'), index: valueOf(values, 'index') },
  };
}

/** Returns the options of commands that change one or several crates. */
export function cratesCommandOptions(invocation: Invocation): ReturnType<typeof registryCommandOptions> & {
  readonly crates: readonly string[];
  readonly workspace: boolean;
  readonly consent: Consent;
} {
  const { values, shell } = invocation;
  return {
    ...registryCommandOptions(invocation),
    crates: valuesOf(values, 'crate'),
    workspace: isGiven(values, 'workspace'),
    consent: {
      isGiven: isGiven(values, 'yes'),
      // Most runs never ask, and opening stdin takes milliseconds.
      get ask() {
        return askOnTerminal(shell);
      },
    },
  };
}
