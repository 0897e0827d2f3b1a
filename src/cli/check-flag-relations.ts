/** Checks which flags of a command are given together. The rules and the order of errors are those of clap. */
import type { Flag, FlagValues } from '../commands/shared/flag.ts';
import { type CommandLine, type MissingFlag, UsageError } from '../commands/shared/usage-error.ts';

/** Throws a `UsageError` if given flags exclude each other, or if a required flag is missing. */
export function checkFlagRelations(line: CommandLine, values: FlagValues): void {
  const givenFlags = [...values.keys()].flatMap(
    (name) => line.flags.find((flag) => flag.name === name) ?? [],
  );
  for (const flag of givenFlags) {
    const conflicting = givenFlags.filter((other) => excludes(other, flag) || excludes(flag, other));
    const [firstConflicting] = conflicting;
    if (firstConflicting === undefined) continue;
    const used = givenFlags.filter((other) => !conflicting.includes(other));
    // As in cargo, the usage line shows a required group even if one of its flags is given.
    const missing = used
      .flatMap((other) => requirementOf(other, line) ?? [])
      .filter((requirement) => 'members' in requirement || !givenFlags.includes(requirement));
    throw UsageError.conflict(line, [flag, firstConflicting], { used, missing });
  }
  const missing: MissingFlag[] = line.flags.filter(
    (flag) => flag.isRequired === true && !givenFlags.includes(flag),
  );
  for (const flag of givenFlags) {
    const requirement = requirementOf(flag, line);
    if (requirement === null || isMet(requirement, givenFlags) || missing.includes(requirement)) continue;
    missing.push(requirement);
  }
  if (missing.length > 0) throw UsageError.missingFlags(line, missing, { used: givenFlags });
}

function excludes(flag: Flag, other: Flag): boolean {
  if (flag === other) return false;
  return flag.conflictsWith === other.name || (flag.group !== undefined && flag.group === other.group);
}

/** Returns the flag, or the group of flags, that `requires` names; null if the flag requires no other. */
function requirementOf({ requires }: Flag, { flags }: CommandLine): MissingFlag | null {
  if (requires === undefined) return null;
  const members = flags.filter(({ group }) => group === requires);
  return members.length > 0 ? { members } : (flags.find(({ name }) => name === requires) ?? null);
}

function isMet(requirement: MissingFlag, givenFlags: readonly Flag[]): boolean {
  return 'members' in requirement
    ? requirement.members.some((flag) => givenFlags.includes(flag))
    : givenFlags.includes(requirement);
}
