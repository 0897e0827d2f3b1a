import { expect, it } from 'vitest';
import { failureOf, PACKAGE } from './manifest-text.ts';

/** Invalid `[lints]` tables, each with its error. */
const CASES: [string, string, string[]?][] = [
  [
    'lints.workspace=true\n' + PACKAGE,
    "failed: error inheriting `lints` from workspace root manifest's `workspace.lints` <- failed to find a workspace root",
  ],
  [
    'lints.workspace=true\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    "failed: error inheriting `lints` from workspace root manifest's `workspace.lints` <- `workspace.lints` was not defined",
  ],
  [
    'lints={workspace=true,rust={}}\n' + PACKAGE,
    'failed: cannot override `workspace.lints` in `lints`, either remove the overrides or `lints.workspace = true` and manually specify the lints',
  ],
  [
    'lints={workspace=true,rust={}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: cannot override `workspace.lints` in `lints`, either remove the overrides or `lints.workspace = true` and manually specify the lints',
  ],
  [
    'lints={workspace=true,rust={}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: cannot override `workspace.lints` in `lints`, either remove the overrides or `lints.workspace = true` and manually specify the lints',
  ],
  [
    'lints={workspace=true,rust={a="warn"}}\n' + PACKAGE,
    'failed: cannot override `workspace.lints` in `lints`, either remove the overrides or `lints.workspace = true` and manually specify the lints',
  ],
  [
    'lints={workspace=true,rust={a="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: cannot override `workspace.lints` in `lints`, either remove the overrides or `lints.workspace = true` and manually specify the lints',
  ],
  [
    'lints={workspace=true,rust={a="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: cannot override `workspace.lints` in `lints`, either remove the overrides or `lints.workspace = true` and manually specify the lints',
  ],
  [
    'lints={rust={"clippy::x"="warn"}}\n' + PACKAGE,
    'failed: `lints.rust.clippy::x` is not valid lint name; try `lints.clippy.x`',
  ],
  [
    'lints={rust={"clippy::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: `lints.rust.clippy::x` is not valid lint name; try `lints.clippy.x`',
  ],
  [
    'lints={rust={"clippy::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: `lints.rust.clippy::x` is not valid lint name; try `lints.clippy.x`',
  ],
  [
    'lints={rust={"rust::x"="warn"}}\n' + PACKAGE,
    'failed: `lints.rust.rust::x` is not valid lint name; try `lints.rust.x`',
  ],
  [
    'lints={rust={"rust::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: `lints.rust.rust::x` is not valid lint name; try `lints.rust.x`',
  ],
  [
    'lints={rust={"rust::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: `lints.rust.rust::x` is not valid lint name; try `lints.rust.x`',
  ],
  [
    'lints={clippy={"clippy::x"="warn"}}\n' + PACKAGE,
    'failed: `lints.clippy.clippy::x` is not valid lint name; try `lints.clippy.x`',
  ],
  [
    'lints={clippy={"clippy::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: `lints.clippy.clippy::x` is not valid lint name; try `lints.clippy.x`',
  ],
  [
    'lints={clippy={"clippy::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: `lints.clippy.clippy::x` is not valid lint name; try `lints.clippy.x`',
  ],
  ['lints={clippy={"foo::x"="warn"}}\n' + PACKAGE, 'failed: `lints.clippy.foo::x` is not a valid lint name'],
  [
    'lints={clippy={"foo::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: `lints.clippy.foo::x` is not a valid lint name',
  ],
  [
    'lints={clippy={"foo::x"="warn"}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: `lints.clippy.foo::x` is not a valid lint name',
  ],
  [
    'lints={rust={unexpected_cfgs={level="warn",check-cfg=1}}}\n' + PACKAGE,
    'failed: `lints.rust.unexpected_cfgs.check-cfg` must be a list of string',
  ],
  [
    'lints={rust={unexpected_cfgs={level="warn",check-cfg=1}}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: `lints.rust.unexpected_cfgs.check-cfg` must be a list of string',
  ],
  [
    'lints={rust={unexpected_cfgs={level="warn",check-cfg=1}}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: `lints.rust.unexpected_cfgs.check-cfg` must be a list of string',
  ],
  [
    'lints={rust={unexpected_cfgs={level="warn",check-cfg=[1]}}}\n' + PACKAGE,
    'failed: `lints.rust.unexpected_cfgs.check-cfg` must be a list of string',
  ],
  [
    'lints={rust={unexpected_cfgs={level="warn",check-cfg=[1]}}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace.lints.rust]\nx="warn"\n',
    'failed: `lints.rust.unexpected_cfgs.check-cfg` must be a list of string',
  ],
  [
    'lints={rust={unexpected_cfgs={level="warn",check-cfg=[1]}}}\n[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n',
    'failed: `lints.rust.unexpected_cfgs.check-cfg` must be a list of string',
  ],
  [
    PACKAGE + '[workspace.lints.rust]\n"clippy::x"="warn"\n',
    'failed: `lints.rust.clippy::x` is not valid lint name; try `lints.clippy.x`',
  ],
  [
    'lints={}\n[workspace]\n',
    'failed: this virtual manifest specifies a `lints` section, which is not allowed\nhelp: a similar field exists: `[workspace.lints]`',
  ],
  [
    'lints={}\n',
    'failed: this virtual manifest specifies a `lints` section, which is not allowed\nhelp: a similar field exists: `[workspace.lints]`',
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
