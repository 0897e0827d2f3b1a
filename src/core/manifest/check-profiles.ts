/** Checks of `[profile]`. Cargo Book: Profiles. */
import type { Message } from '../errors/wording.ts';
import { refuseUnstable } from './cargo-features.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Profile } from './raw-profile.ts';

/** Checks all profiles of a manifest. Throws `manifest` for invalid or unstable settings, in cargo's order. */
export function checkProfiles(profiles: ReadonlyMap<string, Profile>, warnings: Message[]): void {
  for (const [name, profile] of profiles) checkProfile(name, profile, warnings);
}

function checkProfile(name: string, profile: Profile, warnings: Message[]): void {
  checkUnstable(profile);
  const buildOverride = profile['build-override'];
  if (buildOverride !== undefined) checkOverride(buildOverride, 'build-override');
  for (const override of profile.package?.values() ?? []) checkOverride(override, 'package');
  const { 'dir-name': dirName, panic, lto } = profile;
  if (dirName !== undefined) {
    throw manifestProblem(
      `dir-name="${dirName}" in profile \`${name}\` is not currently allowed, ` +
        'directory names are tied to the profile name for custom profiles',
    );
  }
  if (name === 'doc') warnings.push('profile `doc` is deprecated and has no effect');
  if ((name === 'test' || name === 'bench') && panic !== undefined) {
    warnings.push(`\`panic\` setting is ignored for \`${name}\` profile`);
  }
  if (panic !== undefined && panic !== 'unwind' && panic !== 'abort' && panic !== 'immediate-abort') {
    throw manifestProblem(
      `\`panic\` setting of \`${panic}\` is not a valid setting, ` +
        'must be `unwind`, `abort`, or `immediate-abort`.',
    );
  }
  if (lto === 'true' || lto === 'false') {
    throw manifestProblem(
      `\`lto\` setting of string \`"${lto}"\` for \`${name}\` profile is not a valid setting, ` +
        'must be a boolean (`true`/`false`) or a string (`"thin"`/`"fat"`/`"off"`) or omitted.',
    );
  }
}

function checkUnstable(profile: Profile): void {
  if (profile['codegen-backend'] !== undefined) refuseUnstable('codegen-backend');
  if (profile.rustflags !== undefined) refuseUnstable('profile-rustflags');
  if (profile['trim-paths'] !== undefined) refuseUnstable('trim-paths');
  if (profile.panic === 'immediate-abort') refuseUnstable('panic-immediate-abort');
}

/** Checks the settings for some packages (`package`) or for build scripts (`build-override`) in a profile. */
function checkOverride(override: Profile, which: 'build-override' | 'package'): void {
  if (override.package !== undefined) {
    throw manifestProblem('package-specific profiles cannot be nested');
  }
  if (override['build-override'] !== undefined) {
    throw manifestProblem('build-override profiles cannot be nested');
  }
  for (const key of ['panic', 'lto', 'rpath'] as const) {
    if (override[key] !== undefined) {
      throw manifestProblem(`\`${key}\` may not be specified in a \`${which}\` profile`);
    }
  }
  checkUnstable(override);
}
