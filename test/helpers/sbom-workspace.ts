import type { Scenario } from './scenario.ts';

const member = (name: string, rest: string): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2024"\n${rest}`;

const GIT_MANIFEST = '[package]\nname = "repo"\nversion = "0.3.0"\nlicense = "MIT"\n';

/** A workspace with dependencies of all kinds, from all kinds of sources. */
export const SBOM_WORKSPACE: Scenario = {
  about: 'A workspace with dependencies of all kinds, from all kinds of sources.',
  files: {
    'Cargo.toml':
      '[workspace]\nresolver = "3"\nmembers = ["app", "lib", "tool"]\ndefault-members = ["app"]\n',
    'app/Cargo.toml': member(
      'app',
      'license = "MIT OR Apache-2.0"\nauthors = ["Alice <alice@example.com>"]\nhomepage = "https://app.example"\n' +
        '[features]\nhot = ["lib/hot"]\n[dependencies]\nlib = { path = "../lib" }\nstove = "1"\n' +
        'mug = { version = "1", registry = "private" }\nrepo = { git = "file://$G/repo" }\n' +
        '[target."cfg(windows)".dependencies]\ntea = "1"\n' +
        '[build-dependencies]\nboiler = "1"\n[dev-dependencies]\nspoon = "1"\n',
    ),
    'app/src/main.rs': '',
    'lib/Cargo.toml': member(
      'lib',
      'license-file = "LICENSE.txt"\n[features]\nhot = ["dep:heat"]\n[dependencies]\nheat = { version = "1", optional = true }\n',
    ),
    'lib/LICENSE.txt': 'All rights reserved\n',
    'lib/src/lib.rs': '',
    'tool/Cargo.toml': member('tool', ''),
    'tool/src/lib.rs': '',
  },
  registries: { 'crates-io': { kind: 'sparse' }, private: { kind: 'sparse' } },
  git: { repo: [{ files: { 'Cargo.toml': GIT_MANIFEST, 'src/lib.rs': '' } }] },
  crates: [
    {
      name: 'stove',
      version: '1.0.0',
      deps: ['kettle 1'],
      extra: 'license = "MIT/Apache-2.0"\ndescription = "Heats\\n  water"\n',
    },
    { name: 'kettle', version: '1.0.0+steel', extra: 'license = "Our License"\n' },
    { name: 'heat', version: '1.0.0' },
    { name: 'tea', version: '1.0.0' },
    { name: 'boiler', version: '1.0.0', deps: ['pipe 1'] },
    { name: 'pipe', version: '1.0.0' },
    { name: 'spoon', version: '1.0.0' },
    { name: 'mug', version: '1.0.0', registry: 'private' },
  ],
  runs: [],
};
