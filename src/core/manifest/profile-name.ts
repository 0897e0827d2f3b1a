/** Names of profiles. Cargo Book: Profiles, Custom profiles. */

/** Names of cargo's commands, and of folders in the build folder: those in cargo's `validate_profile_name`. */
const RESERVED = new Set([
  'build',
  'check',
  'clean',
  'config',
  'fetch',
  'fix',
  'install',
  'metadata',
  'package',
  'publish',
  'report',
  'root',
  'run',
  'rust',
  'rustc',
  'rustdoc',
  'target',
  'tmp',
  'uninstall',
]);

/** Returns the problem with a profile's name, in cargo's words; null if it is valid. */
export function profileNameProblem(name: string): string | null {
  const invalidChar = /[^\p{Alphabetic}\p{N}_-]/u.exec(name)?.[0];
  if (invalidChar !== undefined) {
    return (
      `invalid character \`${invalidChar}\` in profile name: \`${name}\`, ` +
      'allowed characters are letters, numbers, underscore, and hyphen'
    );
  }
  const lower = name.toLowerCase();
  const help = reservedHelp(lower);
  if (help === null) return null;
  return (
    `profile name \`${name}\` is reserved\n${help}\n` +
    'See https://doc.rust-lang.org/cargo/reference/profiles.html for more on configuring profiles.'
  );
}

/** Returns the help for a reserved name in lower case; null if the name is not reserved. */
function reservedHelp(lower: string): string | null {
  if (lower === 'build-override') {
    return (
      'To configure build dependency settings, use [profile.dev.build-override] ' +
      'and [profile.release.build-override]'
    );
  }
  return RESERVED.has(lower) || lower.startsWith('cargo') ? 'Please choose a different name.' : null;
}
