import { expect, it } from 'vitest';
import { failureOf, PACKAGE, unstable } from './manifest-text.ts';

/** Invalid `[profile]` tables, each with its error. */
const CASES: [string, string, string[]?][] = [
  [
    'profile.dev={panic="x"}\n' + PACKAGE,
    'failed: `panic` setting of `x` is not a valid setting, must be `unwind`, `abort`, or `immediate-abort`.',
  ],
  [
    'profile.dev={panic="x"}\n[workspace]\n',
    'failed: `panic` setting of `x` is not a valid setting, must be `unwind`, `abort`, or `immediate-abort`.',
  ],
  ['profile.dev={panic="immediate-abort"}\n' + PACKAGE, 'failed: ' + unstable('panic-immediate-abort')],
  ['profile.dev={panic="immediate-abort"}\n[workspace]\n', 'failed: ' + unstable('panic-immediate-abort')],
  [
    'profile.dev={lto="true"}\n' + PACKAGE,
    'failed: `lto` setting of string `"true"` for `dev` profile is not a valid setting, must be a boolean (`true`/`false`) or a string (`"thin"`/`"fat"`/`"off"`) or omitted.',
  ],
  [
    'profile.dev={lto="true"}\n[workspace]\n',
    'failed: `lto` setting of string `"true"` for `dev` profile is not a valid setting, must be a boolean (`true`/`false`) or a string (`"thin"`/`"fat"`/`"off"`) or omitted.',
  ],
  [
    'profile.dev={dir-name="x"}\n' + PACKAGE,
    'failed: dir-name="x" in profile `dev` is not currently allowed, directory names are tied to the profile name for custom profiles',
  ],
  [
    'profile.dev={dir-name="x"}\n[workspace]\n',
    'failed: dir-name="x" in profile `dev` is not currently allowed, directory names are tied to the profile name for custom profiles',
  ],
  ['profile.dev={codegen-backend="x"}\n' + PACKAGE, 'failed: ' + unstable('codegen-backend')],
  ['profile.dev={codegen-backend="x"}\n[workspace]\n', 'failed: ' + unstable('codegen-backend')],
  [
    'profile.dev={rustflags=["x"]}\n' + PACKAGE,
    'failed: ' + unstable('profile-rustflags', '#profile-rustflags-option'),
  ],
  [
    'profile.dev={rustflags=["x"]}\n[workspace]\n',
    'failed: ' + unstable('profile-rustflags', '#profile-rustflags-option'),
  ],
  [
    'profile.dev={trim-paths="all"}\n' + PACKAGE,
    'failed: ' + unstable('trim-paths', '#profile-trim-paths-option'),
  ],
  [
    'profile.dev={trim-paths="all"}\n[workspace]\n',
    'failed: ' + unstable('trim-paths', '#profile-trim-paths-option'),
  ],
  [
    'profile.dev={build-override={panic="abort"}}\n' + PACKAGE,
    'failed: `panic` may not be specified in a `build-override` profile',
  ],
  [
    'profile.dev={build-override={panic="abort"}}\n[workspace]\n',
    'failed: `panic` may not be specified in a `build-override` profile',
  ],
  [
    'profile.dev={build-override={lto=true}}\n' + PACKAGE,
    'failed: `lto` may not be specified in a `build-override` profile',
  ],
  [
    'profile.dev={build-override={lto=true}}\n[workspace]\n',
    'failed: `lto` may not be specified in a `build-override` profile',
  ],
  [
    'profile.dev={build-override={rpath=true}}\n' + PACKAGE,
    'failed: `rpath` may not be specified in a `build-override` profile',
  ],
  [
    'profile.dev={build-override={rpath=true}}\n[workspace]\n',
    'failed: `rpath` may not be specified in a `build-override` profile',
  ],
  [
    'profile.dev={build-override={package={}}}\n' + PACKAGE,
    'failed: package-specific profiles cannot be nested',
  ],
  [
    'profile.dev={build-override={package={}}}\n[workspace]\n',
    'failed: package-specific profiles cannot be nested',
  ],
  [
    'profile.dev={build-override={build-override={}}}\n' + PACKAGE,
    'failed: build-override profiles cannot be nested',
  ],
  [
    'profile.dev={build-override={build-override={}}}\n[workspace]\n',
    'failed: build-override profiles cannot be nested',
  ],
  [
    'profile.dev={build-override={rustflags=[]}}\n' + PACKAGE,
    'failed: ' + unstable('profile-rustflags', '#profile-rustflags-option'),
  ],
  [
    'profile.dev={build-override={rustflags=[]}}\n[workspace]\n',
    'failed: ' + unstable('profile-rustflags', '#profile-rustflags-option'),
  ],
  [
    'profile.dev={package={a={panic="abort"}}}\n' + PACKAGE,
    'failed: `panic` may not be specified in a `package` profile',
  ],
  [
    'profile.dev={package={a={panic="abort"}}}\n[workspace]\n',
    'failed: `panic` may not be specified in a `package` profile',
  ],
  [
    'profile.dev={package={"*"={lto=true}}}\n' + PACKAGE,
    'failed: `lto` may not be specified in a `package` profile',
  ],
  [
    'profile.dev={package={"*"={lto=true}}}\n[workspace]\n',
    'failed: `lto` may not be specified in a `package` profile',
  ],
  [
    'profile.dev={package={a={package={}}}}\n' + PACKAGE,
    'failed: package-specific profiles cannot be nested',
  ],
  [
    'profile.dev={package={a={package={}}}}\n[workspace]\n',
    'failed: package-specific profiles cannot be nested',
  ],
  [
    'profile.dev={package={a={build-override={}}}}\n' + PACKAGE,
    'failed: build-override profiles cannot be nested',
  ],
  [
    'profile.dev={package={a={build-override={}}}}\n[workspace]\n',
    'failed: build-override profiles cannot be nested',
  ],
  ['profile.dev={package={a={codegen-backend="x"}}}\n' + PACKAGE, 'failed: ' + unstable('codegen-backend')],
  [
    'profile.dev={package={a={codegen-backend="x"}}}\n[workspace]\n',
    'failed: ' + unstable('codegen-backend'),
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
