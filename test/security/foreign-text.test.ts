import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorAnnotation } from '../../src/cli/ci-annotation.ts';
import { TsregError } from '../../src/core/errors/error.ts';
import { type ScriptedRegistry, scriptedRegistry } from '../helpers/registry-user.ts';
import { onWindows } from '../helpers/system.ts';

/** Text with terminal escape sequences, and with commands of CI systems after every kind of line break. */
const HOSTILE =
  'a\n::set-output name=x::y\r\n  ::add-mask::z\r::error::r\u2028::debug::u\n##vso[task.complete]\n##[error]e\n' +
  'b\x1b[2J\x1b[33mc\x1b]0;title\x07\u009b2Jd\u202ee\u2066f\u200bg\u{e0041}h\x00\x08\x7f\u0085i';
const NAME = 'mock';
const mock = ['--registry', NAME] as const;

/** The styles and links that tsreg itself writes. */
// oxlint-disable-next-line no-control-regex
const OWN = /\x1b\[(?:0|1|2|3|22|3[3-69]|9[1-6])m|\x1b\]8;;[!-~]*\x1b\\/g;

/** Fails if `output` could control a terminal or a CI system. */
function expectHarmless(output: string): void {
  expect(output.replaceAll(OWN, '')).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  // The style in `HOSTILE` that `OWN` matches too.
  expect(output).not.toContain('\x1b[33mc');
  expect(output.split('\n').filter((line) => /^\s*::|##(?:vso)?\[/.test(line))).toEqual([]);
}

const MODES = [
  ['by itself', [], {}],
  ['in colours', ['--color', 'always'], {}],
  ['as cargo', [], { TSREG_COMPAT: 'cargo' }],
] as const;

describe.each(MODES)('untrusted text (%s)', (_mode, flags, variables) => {
  let registry: ScriptedRegistry;
  beforeAll(async () => {
    registry = await scriptedRegistry('foreign-text');
  });
  afterAll(async () => {
    await registry[Symbol.asyncDispose]();
  });

  async function run(args: readonly string[], seen: string): Promise<string> {
    const { stdout, stderr } = await registry.user.run([...args, ...flags], variables);
    expect(stdout + stderr).toContain(seen);
    expectHarmless(stdout);
    expectHarmless(stderr);
    return stdout;
  }

  const detail = JSON.stringify({ errors: [{ detail: HOSTILE }] });

  it('is harmless in search results', async () => {
    const crates = [{ name: HOSTILE, max_version: HOSTILE, description: HOSTILE }];
    const body = JSON.stringify({ crates, meta: { total: 1 } });
    registry.answer({ 'GET /api/v1/crates?q=x&per_page=10': { body } });
    expect((await run(['search', 'x', ...mock], 'set-output')).split('\n')).toHaveLength(2);
  });

  it('is harmless in lists of owners and in responses to owner changes', async () => {
    const users = [{ id: 1, login: HOSTILE, name: HOSTILE, email: HOSTILE }];
    const at = '/api/v1/crates/foo/owners';
    registry.answer({
      [`GET ${at}`]: { body: JSON.stringify({ users }) },
      [`PUT ${at}`]: { body: JSON.stringify({ ok: true, msg: HOSTILE }) },
    });
    expect((await run(['owner', 'foo', '--list', ...mock], 'set-output')).split('\n')).toHaveLength(2);
    await run(['owner', 'foo', '--add', 'bob', ...mock], 'set-output');
  });

  it.each([
    ['errors', { status: 403, body: detail }],
    ['errors behind success', { body: detail }],
    ['another body', { status: 500, body: HOSTILE }],
    [
      'headers',
      {
        status: 404,
        body: 'x',
        headers: [
          ['X-Hidden', '\x1b[2Jx'],
          ['X-Note', '##vso[task.complete]set-output'],
        ],
      },
    ],
  ] as const)('is harmless in a refusal with %s', async (_what, answer) => {
    registry.answer({ 'DELETE /api/v1/crates/foo/1.0.0/yank': { ...answer } });
    await run(['yank', 'foo@1.0.0', ...mock], 'set-output');
  });

  it('is harmless in manifests: unused keys, licences, repositories and errors', async () => {
    const key = JSON.stringify(HOSTILE).replaceAll('\x7f', '\\u007f');
    const toml = (text: string): string => text.replaceAll('KEY', () => key);
    const both = 'version = "0.1.0"\nedition = "2021"\nlicense = KEY\nrepository = KEY\nkeywords = [KEY]\n';
    registry.user.write({
      'm/Cargo.toml': toml(
        `[package]\nname = "app"\n${both}description = KEY\nKEY = 1\n[dependencies]\n` +
          'below = { path = "below", version = "0.1.0", KEY = 1 }\n[lints.rust]\nname = { level = "warn", KEY = 1 }\n[KEY]\nKEY = 2\n',
      ),
      'm/src/lib.rs': '',
      'm/below/Cargo.toml': toml(`[package]\nname = "below"\n${both}`),
      'm/below/src/lib.rs': '',
      'bad/Cargo.toml': toml(`[package]\nname = KEY\nversion = "0.1.0"\n`),
      'worse/Cargo.toml': `[package]\nname = "x"\nversion = ${HOSTILE}\n`,
    });
    const manifest = (folder: string): readonly string[] => ['--manifest-path', `${folder}/Cargo.toml`];
    await run(['fetch', '--offline', ...manifest('m')], 'set-output');
    const tree = await run(['tree', '--prefix', 'none', '-f', '{l} {r} {p}', ...manifest('m')], 'set-output');
    expect(tree.split('\n')).toHaveLength(3);
    await run(['metadata', '--format-version', '1', ...manifest('bad')], 'set-output');
    await run(['metadata', '--format-version', '1', ...manifest('worse')], 'Cargo.toml');
  });

  it('is harmless in configuration files: unused keys and errors', async () => {
    registry.user.write({
      'c/.cargo/config.toml': `[http]\n${JSON.stringify(HOSTILE).replaceAll('\x7f', '\\u007f')} = 1\n[build]\nrustc = 1\n`,
      'c/Cargo.toml': '[package]\nname = "c"\nversion = "0.1.0"\nedition = "2021"\n',
      'c/src/lib.rs': '',
      'd/Cargo.toml': '[package]\nname = "d"\nversion = "0.1.0"\n',
      'd/src/lib.rs': '',
      'd/.cargo/config.toml': `x = ${HOSTILE}\n`,
    });
    const program = async (folder: string, seen: string): Promise<void> => {
      const env = { ...registry.user.env, ...variables };
      const { runProgram, tsregProgram } = await import('../helpers/program.ts');
      const cwd = path.join(registry.user.folder, folder);
      const { stdout, stderr } = await runProgram(tsregProgram(), ['tree', ...flags], { cwd, env });
      expect(stdout + stderr).toContain(seen);
      expectHarmless(stdout);
      expectHarmless(stderr);
    };
    await program('c', 'set-output');
    await program('d', 'config.toml');
  });

  it.skipIf(onWindows)(
    'is harmless in names of packaged files, one per line (not on Windows: it has no such names)',
    async () => {
      const manifest = '[package]\nname = "f"\nversion = "0.1.0"\nedition = "2021"\n';
      registry.user.write({
        'f/Cargo.toml': manifest,
        'f/src/lib.rs': '',
        'f/n\n##vso[task]\x1b[2J\u202e.rs': '',
        'refused/Cargo.toml': manifest,
        'refused/src/lib.rs': '',
        'refused/n\n::set-output name=x::y\x1b[2J\u202e': '',
      });
      const flags = (folder: string): readonly string[] => [
        ...['package', '--list', '--allow-dirty', '--offline', '--manifest-path', `${folder}/Cargo.toml`],
      ];
      const lines = (await run(flags('f'), 'vso')).split('\n');
      expect(lines).toContain('n\\n\\u{23}#vso[task]\\u{1b}[2J\\u{202e}.rs');
      expect(lines).toContain('src/lib.rs');
      await run(flags('refused'), 'set-output');
    },
  );

  it.skipIf(onWindows)(
    'is harmless in output of git and credential providers (not on Windows: they are shell scripts)',
    async () => {
      const script = (words: string): string => `#!/bin/sh\n${words}\n`;
      const printed = HOSTILE.replaceAll('\0', '').replaceAll("'", '');
      registry.user.write({
        'bin/git': script(`printf '%s' '${printed}' >&2; exit 1`),
        'bin/provider': script(
          `echo '{"v":[1]}'; read line; printf '%s\\n' '${JSON.stringify({ Err: { kind: 'other', message: HOSTILE } }).replaceAll("'", '')}'`,
        ),
        'g/Cargo.toml':
          '[package]\nname = "g"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nx = { git = "https://127.0.0.1:1/x" }\n',
        'g/src/lib.rs': '',
      });
      const bin = path.join(registry.user.folder, 'bin');
      chmodSync(path.join(bin, 'git'), 0o755);
      chmodSync(path.join(bin, 'provider'), 0o755);
      const env = { ...variables, PATH: `${bin}:${process.env['PATH'] ?? ''}`, CARGO_NET_RETRY: '0' };
      const git = await registry.user.run(
        ['generate-lockfile', '--manifest-path', 'g/Cargo.toml', ...flags],
        env,
      );
      expect(git.stderr).toContain('set-output');
      expectHarmless(git.stderr);
      registry.answer({});
      const asked = await registry.user.run(['yank', 'foo@1.0.0', ...mock, ...flags], {
        ...env,
        CARGO_REGISTRIES_MOCK_TOKEN: '',
        CARGO_REGISTRIES_MOCK_CREDENTIAL_PROVIDER: path.join(bin, 'provider'),
      });
      expect(asked.stderr).toContain('set-output');
      expectHarmless(asked.stderr);
    },
  );
});

describe('a GitHub Actions annotation', () => {
  it('is one line without control characters for any error text', () => {
    const line = errorAnnotation(new TsregError(HOSTILE, { code: 'source' }), 'x', {
      GITHUB_ACTIONS: 'true',
    });
    expect(line?.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(line?.startsWith('::error title=x::a%0A')).toBe(true);
  });
});
