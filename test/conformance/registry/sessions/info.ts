import type { CrateDecl } from '../../../helpers/crate.ts';
import { step, steps } from '../arguments.ts';
import type { Session } from '../session.ts';

const crate = (name: string, version: string, more: Partial<CrateDecl> = {}): CrateDecl => ({
  name,
  version,
  registry: 'mock',
  ...more,
});
const described =
  'description = "An example\\n  of several lines  \\n"\nlicense = "MIT OR Apache-2.0"\nrepository = "https://example.org/r"\nhomepage = "https://example.org/h"\ndocumentation = "https://example.org/d"\nkeywords = ["kw1", "kw2"]\n';
const crates: readonly CrateDecl[] = [
  crate('inf-o', '1.0.0', { extra: described }),
  crate('inf-o', '2.0.0', {
    extra: described,
    rust_version: '1.60',
    features: { default: ['a', 'b'], a: [], b: ['dep:opt'], c: ['opt?/x'] },
    deps: [
      { name: 'req', req: '>=1, <3' },
      { name: 'opt', req: '1', optional: true },
      { name: 'win', req: '~1.2', target: 'cfg(windows)' },
      { name: 'builder', req: '1', kind: 'build' },
      { name: 'tester', req: '1', kind: 'dev' },
      { name: 'again', package: 'req', req: '=1.0.0' },
    ],
  }),
  crate('inf-o', '3.0.0-rc.1'),
  crate('inf-o', '4.0.0', { yanked: true }),
  crate('inf-o', '2.5.0', { rust_version: '99.0' }),
  crate('bare', '0.1.0'),
  crate('under_score', '0.1.0+meta'),
  crate('many', '1.0.0', {
    features: {
      default: Array.from({ length: 35 }, (_, at) => `f${at}`),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, []])),
    },
  }),
  crate('only-yanked', '1.0.0', { yanked: true }),
  crate('damaged', '1.0.0', { archive: 'garbage' }),
  crate('absent', '1.0.0', { archive: 'missing' }),
  crate('wrong-sum', '1.0.0', { index: { cksum: '0'.repeat(64) } }),
  crate('req', '1.0.0'),
];
const mock = { mock: { crates } } as const;
const project = {
  'Cargo.toml':
    '[package]\nname = "me"\nversion = "0.9.0"\nedition = "2021"\ndescription = "mine"\nlicense = "MIT"\n[dependencies]\ninf-o = { version = "1", registry = "mock" }\nnear = { path = "near" }\n',
  'src/lib.rs': '',
  'near/Cargo.toml': '[package]\nname = "near"\nversion = "0.2.0"\n',
  'near/src/lib.rs': '',
} as const;

/** The Cargo Book: cargo info. */
export const infoSessions: readonly Session[] = [
  {
    name: 'a crate',
    registries: mock,
    steps: steps(
      'info inf-o --registry mock',
      'info inf-o --registry mock -v',
      'info inf-o --registry mock -q',
      'info bare --registry mock',
      'info bare --registry mock --color always',
      'info inf-o --registry mock --color always -v',
    ),
  },
  {
    name: 'versions',
    registries: mock,
    steps: steps(
      'info inf-o@1 --registry mock',
      'info inf-o@1.0.0 --registry mock',
      'info inf-o@=1.0.0 --registry mock',
      'info inf-o@3 --registry mock',
      'info inf-o@3.0.0-rc.1 --registry mock',
      'info inf-o@4.0.0 --registry mock',
      'info inf-o@9 --registry mock',
      'info inf-o@2.5.0 --registry mock',
    ),
  },
  {
    name: 'specs that are none',
    registries: mock,
    steps: steps(
      'info foo@@ --registry mock',
      "info '' --registry mock",
      'info inf-o@x --registry mock',
      "info 'a b' --registry mock",
      'info',
      'info a b',
      'info inf-o:1.0.0 --registry mock',
      'info file:///x#y --registry mock',
    ),
  },
  {
    name: 'nothing of that name',
    registries: mock,
    steps: steps(
      'info nope --registry mock',
      'info inf_o --registry mock',
      'info under-score --registry mock',
      'info only-yanked --registry mock',
      'info INF-O --registry mock',
    ),
  },
  {
    name: 'many features',
    registries: mock,
    steps: steps('info many --registry mock', 'info many --registry mock -v'),
  },
  {
    name: 'archives that are broken',
    registries: mock,
    steps: steps(
      'info damaged --registry mock',
      'info absent --registry mock --config net.retry=0',
      'info wrong-sum --registry mock',
    ),
  },
  {
    name: 'twice',
    registries: mock,
    steps: steps(
      'info inf-o --registry mock',
      'info inf-o --registry mock',
      'info inf-o --registry mock --offline',
    ),
  },
  {
    name: 'in a workspace',
    registries: mock,
    files: project,
    steps: steps(
      'info inf-o',
      'info me',
      'info near',
      'info inf-o --registry mock',
      'info inf-o@1',
      'info me@0.9.0 -v',
    ),
  },
  {
    name: 'locked',
    registries: mock,
    files: {
      'p/Cargo.toml': project['Cargo.toml'].replace('near = { path = "near" }\n', ''),
      'p/src/lib.rs': '',
    },
    steps: [
      step('info inf-o --registry mock --locked'),
      step('info inf-o --registry mock --frozen'),
      step('info inf-o --locked', { cwd: 'p' }),
    ],
  },
  {
    name: 'by the address of the index',
    registries: mock,
    steps: steps(
      'info bare --index sparse+$S/mock/index/',
      'info sparse+$S/mock/index/#bare --registry mock',
      'info bare --index sparse+$S/other/index/',
    ),
  },
  {
    name: 'auth-required',
    config: 'registry.global-credential-providers = ["cargo:token"]\n',
    registries: { mock: { crates, auth: { token: 'mocktoken' } } },
    steps: steps('info bare --registry mock'),
  },
  {
    name: 'no API',
    registries: { mock: { crates, config: { api: null } } },
    steps: steps('info bare --registry mock'),
  },
  {
    name: 'an index line that is broken',
    registries: {
      mock: {
        crates: [
          crate('odd', '1.0.0', { index_line: '{' }),
          crate('odd', '1.1.0'),
          crate('odd', '1.2.0', { index: { v: 3 } }),
          crate('odd', '1.1.0', { index: { yanked: true } }),
        ],
      },
    },
    steps: steps('info odd --registry mock'),
  },
];
