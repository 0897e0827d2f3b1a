import { expect, it } from 'vitest';
import { failureOf, PACKAGE } from './manifest-text.ts';

/** Manifests with invalid inheritance, each with its error. */
const CASES: [string, string, string[]?][] = [
  [
    PACKAGE + 'description = {a = 1, workspace = true}\n',
    "failed: error inheriting `description` from workspace root manifest's `workspace.package.description` <- failed to find a workspace root",
  ],
  [
    PACKAGE + '[dependencies]\nx = {workspace=true}\n',
    "failed: error inheriting `x` from workspace root manifest's `workspace.dependencies.x` <- failed to find a workspace root",
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion.workspace=true\n',
    "failed: error inheriting `version` from workspace root manifest's `workspace.package.version` <- failed to find a workspace root",
  ],
  [
    '[package]\nname = "p"\nedition = "2021"\nversion.workspace=true\n[workspace]\n',
    "failed: error inheriting `version` from workspace root manifest's `workspace.package.version` <- `workspace.package.version` was not defined",
  ],
  [
    PACKAGE + 'authors.workspace=true\n',
    "failed: error inheriting `authors` from workspace root manifest's `workspace.package.authors` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'authors.workspace=true\n[workspace]\n',
    "failed: error inheriting `authors` from workspace root manifest's `workspace.package.authors` <- `workspace.package.authors` was not defined",
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition.workspace=true\n',
    "failed: error inheriting `edition` from workspace root manifest's `workspace.package.edition` <- failed to find a workspace root",
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition.workspace=true\n[workspace]\n',
    "failed: error inheriting `edition` from workspace root manifest's `workspace.package.edition` <- `workspace.package.edition` was not defined",
  ],
  [
    PACKAGE + 'description.workspace=true\n',
    "failed: error inheriting `description` from workspace root manifest's `workspace.package.description` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'description.workspace=true\n[workspace]\n',
    "failed: error inheriting `description` from workspace root manifest's `workspace.package.description` <- `workspace.package.description` was not defined",
  ],
  [
    PACKAGE + 'homepage.workspace=true\n',
    "failed: error inheriting `homepage` from workspace root manifest's `workspace.package.homepage` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'homepage.workspace=true\n[workspace]\n',
    "failed: error inheriting `homepage` from workspace root manifest's `workspace.package.homepage` <- `workspace.package.homepage` was not defined",
  ],
  [
    PACKAGE + 'readme.workspace=true\n',
    "failed: error inheriting `readme` from workspace root manifest's `workspace.package.readme` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'readme.workspace=true\n[workspace]\n',
    "failed: error inheriting `readme` from workspace root manifest's `workspace.package.readme` <- `workspace.package.readme` was not defined",
  ],
  [
    PACKAGE + 'keywords.workspace=true\n',
    "failed: error inheriting `keywords` from workspace root manifest's `workspace.package.keywords` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'keywords.workspace=true\n[workspace]\n',
    "failed: error inheriting `keywords` from workspace root manifest's `workspace.package.keywords` <- `workspace.package.keywords` was not defined",
  ],
  [
    PACKAGE + 'license.workspace=true\n',
    "failed: error inheriting `license` from workspace root manifest's `workspace.package.license` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'license.workspace=true\n[workspace]\n',
    "failed: error inheriting `license` from workspace root manifest's `workspace.package.license` <- `workspace.package.license` was not defined",
  ],
  [
    PACKAGE + 'license-file.workspace=true\n',
    "failed: error inheriting `license-file` from workspace root manifest's `workspace.package.license-file` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'license-file.workspace=true\n[workspace]\n',
    "failed: error inheriting `license-file` from workspace root manifest's `workspace.package.license-file` <- `workspace.package.license-file` was not defined",
  ],
  [
    PACKAGE + 'publish.workspace=true\n',
    "failed: error inheriting `publish` from workspace root manifest's `workspace.package.publish` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'publish.workspace=true\n[workspace]\n',
    "failed: error inheriting `publish` from workspace root manifest's `workspace.package.publish` <- `workspace.package.publish` was not defined",
  ],
  [
    PACKAGE + 'rust-version.workspace=true\n',
    "failed: error inheriting `rust-version` from workspace root manifest's `workspace.package.rust-version` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'rust-version.workspace=true\n[workspace]\n',
    "failed: error inheriting `rust-version` from workspace root manifest's `workspace.package.rust-version` <- `workspace.package.rust-version` was not defined",
  ],
  [
    PACKAGE +
      'rust-version.workspace=true\n[workspace.package]\nversion="1.2.3"\nauthors=["x"]\nedition="2018"\ndescription="d"\nhomepage="h"\nreadme="R.md"\nkeywords=["k"]\nlicense="L"\nlicense-file="LF"\npublish=["a"]\nrust-version="1.40"\nexclude=["e"]\nrepository="r"\ncategories=["c"]\ndocumentation="doc"\ninclude=["i"]\n',
    'failed: rust-version 1.40 is incompatible with the version (1.56.0) required by the specified edition (2021)',
  ],
  [
    PACKAGE +
      'rust-version={workspace=true,foo=1}\n[workspace.package]\nversion="1.2.3"\nauthors=["x"]\nedition="2018"\ndescription="d"\nhomepage="h"\nreadme="R.md"\nkeywords=["k"]\nlicense="L"\nlicense-file="LF"\npublish=["a"]\nrust-version="1.40"\nexclude=["e"]\nrepository="r"\ncategories=["c"]\ndocumentation="doc"\ninclude=["i"]\n',
    'failed: rust-version 1.40 is incompatible with the version (1.56.0) required by the specified edition (2021)',
    ['sub/x', 'src/lib.rs'],
  ],
  [
    PACKAGE + 'exclude.workspace=true\n',
    "failed: error inheriting `exclude` from workspace root manifest's `workspace.package.exclude` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'exclude.workspace=true\n[workspace]\n',
    "failed: error inheriting `exclude` from workspace root manifest's `workspace.package.exclude` <- `workspace.package.exclude` was not defined",
  ],
  [
    PACKAGE + 'repository.workspace=true\n',
    "failed: error inheriting `repository` from workspace root manifest's `workspace.package.repository` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'repository.workspace=true\n[workspace]\n',
    "failed: error inheriting `repository` from workspace root manifest's `workspace.package.repository` <- `workspace.package.repository` was not defined",
  ],
  [
    PACKAGE + 'categories.workspace=true\n',
    "failed: error inheriting `categories` from workspace root manifest's `workspace.package.categories` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'categories.workspace=true\n[workspace]\n',
    "failed: error inheriting `categories` from workspace root manifest's `workspace.package.categories` <- `workspace.package.categories` was not defined",
  ],
  [
    PACKAGE + 'documentation.workspace=true\n',
    "failed: error inheriting `documentation` from workspace root manifest's `workspace.package.documentation` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'documentation.workspace=true\n[workspace]\n',
    "failed: error inheriting `documentation` from workspace root manifest's `workspace.package.documentation` <- `workspace.package.documentation` was not defined",
  ],
  [
    PACKAGE + 'include.workspace=true\n',
    "failed: error inheriting `include` from workspace root manifest's `workspace.package.include` <- failed to find a workspace root",
  ],
  [
    PACKAGE + 'include.workspace=true\n[workspace]\n',
    "failed: error inheriting `include` from workspace root manifest's `workspace.package.include` <- `workspace.package.include` was not defined",
  ],
  [
    PACKAGE + 'readme.workspace=true\n[workspace.package]\nreadme=false\n',
    "failed: error inheriting `readme` from workspace root manifest's `workspace.package.readme` <- `workspace.package.readme` was not defined",
  ],
  [
    PACKAGE + 'readme.workspace=true\n[workspace.package]\n',
    "failed: error inheriting `readme` from workspace root manifest's `workspace.package.readme` <- `workspace.package.readme` was not defined",
  ],
  [
    PACKAGE +
      '[dependencies]\nzz.workspace=true\n[workspace.dependencies]\ns={version="1",features=["x"],default-features=false}\nt="2"\nu={path="up/../u",default-features=true,package="uu"}\nv={git="https://a/b",default_features=false}\n',
    "failed: error inheriting `zz` from workspace root manifest's `workspace.dependencies.zz` <- `dependency.zz` was not found in `workspace.dependencies`",
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2024"\n[dev-dependencies]\nzz.workspace=true\n[workspace.dependencies]\ns={version="1",features=["x"],default-features=false}\nt="2"\nu={path="up/../u",default-features=true,package="uu"}\nv={git="https://a/b",default_features=false}\n',
    "failed: error inheriting `zz` from workspace root manifest's `workspace.dependencies.zz` <- `dependency.zz` was not found in `workspace.dependencies`",
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2024"\n[dev-dependencies]\ns={workspace=true,features=["x","y"],optional=true}\n[workspace.dependencies]\ns={version="1",features=["x"],default-features=false}\nt="2"\nu={path="up/../u",default-features=true,package="uu"}\nv={git="https://a/b",default_features=false}\n',
    'failed: dev-dependencies are not allowed to be optional: `s`',
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2024"\n[dev-dependencies]\nv={workspace=true}\n[workspace.dependencies]\ns={version="1",features=["x"],default-features=false}\nt="2"\nu={path="up/../u",default-features=true,package="uu"}\nv={git="https://a/b",default_features=false}\n',
    'failed: `default_features` is unsupported as of the 2024 edition; instead use `default-features`\n(in the `v` dependency)',
  ],
  [
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2024"\n[dev-dependencies]\nv={workspace=true,default-features=true}\n[workspace.dependencies]\ns={version="1",features=["x"],default-features=false}\nt="2"\nu={path="up/../u",default-features=true,package="uu"}\nv={git="https://a/b",default_features=false}\n',
    'failed: `default_features` is unsupported as of the 2024 edition; instead use `default-features`\n(in the `v` dependency)',
  ],
  [
    PACKAGE + '[dependencies]\ns.workspace=true\n[workspace]\n',
    "failed: error inheriting `s` from workspace root manifest's `workspace.dependencies.s` <- `workspace.dependencies` was not defined",
  ],
];

it.each(CASES)('refuses %j', (text, failure, files) => {
  expect(failureOf(text, files === undefined ? {} : { files })).toBe(failure);
});
