/** Checks which flags of a command are given together. */
import type { Flag, FlagValues } from '../commands/shared/flag.ts';
import { type CommandLine, type MissingFlag, UsageError } from '../commands/shared/usage-error.ts';

/** Throws a `UsageError` if given flags exclude each other, or if a required flag is missing. */
export function checkFlagRelations(line: CommandLine, values: FlagValues): void {
  const given = [...values.keys()].flatMap((name) => line.flags.find((flag) => flag.name === name) ?? []);
  for (const flag of given) {
    const excluded = given.filter((other) => excludes(other, flag) || excludes(flag, other));
    const [firstExcluded] = excluded;
    if (firstExcluded === undefined) continue;
    const used = given.filter((other) => !excluded.includes(other));
    // As in cargo, the usage line shows a required group even if one of its flags is given.
    const missing = used
      .flatMap((other) => requirementOf(other, line) ?? [])
      .filter((requirement) => 'members' in requirement || !given.includes(requirement));
    throw UsageError.conflict(line, [flag, firstExcluded], { used, missing });
  }
  const missing: MissingFlag[] = line.flags.filter(
    (flag) => flag.isRequired === true && !given.includes(flag),
  );
  for (const flag of given) {
    const requirement = requirementOf(flag, line);
    if (requirement === null || isMet(requirement, given) || missing.includes(requirement)) continue;
    missing.push(requirement);
  }
  if (missing.length > 0) throw UsageError.missingFlags(line, missing, { used: given });
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

function isMet(requirement: MissingFlag, given: readonly Flag[]): boolean {
  return 'members' in requirement
    ? requirement.members.some((flag) => given.includes(flag))
    : given.includes(requirement);
}
