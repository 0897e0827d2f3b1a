import { describe, expect, it } from 'vitest';
import { compilerSettings, targetFlags } from '../../../src/io/config/compiler-settings.ts';
import { Config } from '../../../src/io/config/config.ts';
import { httpSettings, netSettings } from '../../../src/io/config/network-settings.ts';
import { cratesIoIndex, registryIndex } from '../../../src/io/config/registry-index.ts';
import { resolverSettings } from '../../../src/io/config/resolver-settings.ts';
import { termSettings } from '../../../src/io/config/term-settings.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

function configOf(text: string, env: Readonly<Record<string, string>> = {}): Config {
  const files = new MemoryFiles({ '/ws/.cargo/config.toml': text, '/ws/p/': '' });
  const { report } = recordingContext().context;
  return new Config({ cwd: '/ws/p', env: { HOME: '/home', ...env }, files, report });
}

describe('network settings', () => {
  it('have defaults', () => {
    expect(netSettings(configOf(''))).toEqual({
      retries: 3,
      offline: false,
      gitFetchWithCli: false,
      sshKnownHosts: [],
    });
    expect(httpSettings(configOf(''))).toMatchObject({
      timeoutMs: 30_000,
      lowSpeedLimit: 10,
      multiplexing: true,
    });
  });

  it('make paths absolute and use the same certificates for the proxy', () => {
    const settings = httpSettings(configOf('http={cainfo="ca.pem",timeout=5,ssl-version={min="tlsv1.2"}}'));
    expect(settings).toMatchObject({ caFile: '/ws/ca.pem', proxyCaFile: '/ws/ca.pem', timeoutMs: 5000 });
    expect(settings.sslVersion).toEqual({ min: 'tlsv1.2', max: null });
  });

  it('use a valid HTTP_TIMEOUT unless `http.timeout` is set', () => {
    expect(httpSettings(configOf('', { HTTP_TIMEOUT: '7' })).timeoutMs).toBe(7000);
    expect(httpSettings(configOf('http.timeout=5', { HTTP_TIMEOUT: '7' })).timeoutMs).toBe(5000);
    expect(httpSettings(configOf('', { HTTP_TIMEOUT: 'soon' })).timeoutMs).toBe(30_000);
  });
});

describe('termSettings', () => {
  it('returns no settings if any of them is invalid', () => {
    expect(termSettings(configOf('term={quiet=true,verbose=1}')).quiet).toBeNull();
    expect(termSettings(configOf('foo')).quiet).toBeNull();
    expect(termSettings(configOf('term={quiet=true,progress.when="always"}')).quiet).toBeNull();
  });

  it('reads the progress settings', () => {
    expect(termSettings(configOf('', { CARGO_TERM_PROGRESS_WHEN: 'never' })).progress?.when).toBe('never');
    expect(termSettings(configOf('term.progress={when="always",width=40}')).progress?.width).toBe(40);
  });
});

describe('registry indexes', () => {
  const sources = new SourceTable();

  it.each([
    ['file:../idx', {}, 'file:///idx'],
    ['file:idx', {}, 'file:///ws/idx'],
    ['file:///idx', {}, 'file:///idx'],
    ['https://a/idx', {}, 'https://a/idx'],
    ['https://a/idx', { CARGO_REGISTRIES_R_INDEX: 'file:idx' }, 'file:///ws/p/idx'],
  ])('are resolved in the folder of their configuration: %s with %o', (index, env, url) => {
    const config = configOf(`registries.r.index="${index}"`, env);
    expect(registryIndex(config, 'r', sources).url).toBe(url);
  });

  it('are found by name', () => {
    const config = configOf('registries.alt.index="sparse+https://example.com/index/"');
    const source = registryIndex(config, 'alt', sources);
    expect(source).toMatchObject({
      kind: 'sparse-registry',
      url: 'https://example.com/index/',
      registryName: 'alt',
    });
    expect(registryIndex(config, 'crates-io', sources)).toBe(sources.cratesIo());
  });

  it.each([
    ['', 'nope', 'registry index was not found in any configuration: `nope`'],
    ['registries.a.index="foo"', 'a', 'invalid index URL for registry `a` defined in /ws/.cargo/config.toml'],
    ['', '1a', 'invalid character `1` in registry name: `1a`, the name cannot start with a digit'],
    [
      '',
      'a b',
      'invalid character ` ` in registry name: `a b`, ' +
        'characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
    ],
    ['', '', 'registry name cannot be empty'],
    [
      'registry.index="https://example.com"',
      'crates-io',
      'the `registry.index` config value is no longer supported',
    ],
  ])('are refused for the configuration %j and the name %j', (text, name, message) => {
    expect(() => registryIndex(configOf(text), name, sources)).toThrow(message);
  });

  it('are suggested in the hint about an unknown name, with the line to add', () => {
    const config = configOf('registries.a.index="https://a.example"\nregistries."b\\u001b[2J".index="x"');
    expect(() => registryIndex(config, 'c', sources)).toThrow(
      expect.objectContaining({
        hint: 'add it with `tsreg registry add c URL`. Configured registries: `a`',
      }),
    );
  });

  it('must not have a password in their URL', () => {
    const config = configOf('registries.a.index="https://u:p@example.com/"');
    expect(() => registryIndex(config, 'a', sources)).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ message: 'registry URLs may not contain passwords' }),
      }),
    );
  });

  it('use the configured protocol', () => {
    expect(cratesIoIndex(configOf(''), sources).kind).toBe('sparse-registry');
    expect(cratesIoIndex(configOf('registries.crates-io.protocol="git"'), sources).kind).toBe('registry');
    expect(() => cratesIoIndex(configOf('registries.crates-io.protocol="x"'), sources)).toThrow(
      'unsupported registry protocol `x` (defined in /ws/.cargo/config.toml)',
    );
  });
});

describe('resolverSettings', () => {
  it('ignores unstable settings with a warning, unless they are enabled', () => {
    const { context, lines } = recordingContext();
    const config = configOf('resolver={feature-unification="workspace"}');
    resolverSettings(config, (text) => context.report.warning(text));
    expect(lines).toEqual([
      'warning: ignoring `resolver.feature-unification` without `-Zfeature-unification`',
    ]);
    const unstable = config.withArguments([], new Set(['feature-unification']));
    resolverSettings(unstable, (text) => context.report.warning(text));
    expect(lines).toHaveLength(1);
  });

  it('resolves the path of the lock file in the folder that defines it', () => {
    const pathOf = (config: Config) => resolverSettings(config, () => {}).lockfilePath;
    expect(pathOf(configOf(''))).toBeNull();
    expect(pathOf(configOf('resolver.lockfile-path="x/Cargo.lock"'))).toBe('/ws/x/Cargo.lock');
    const variable = { CARGO_RESOLVER_LOCKFILE_PATH: 'x/Cargo.lock/' };
    expect(pathOf(configOf('', variable))).toBe('/ws/p/x/Cargo.lock');
  });

  it.each([
    ['x', 'the `resolver.lockfile-path` must be a path to a Cargo.lock file'],
    ['{x}/Cargo.lock', 'unexpected variable `x` in resolver.lockfile-path `{x}/Cargo.lock`'],
    ['x{/Cargo.lock', 'unexpected opening bracket `{` in build.build-dir path `x{/Cargo.lock`'],
  ])('refuses the lock file path %j', (path, message) => {
    const config = configOf(`resolver.lockfile-path="${path}"`);
    expect(() => resolverSettings(config, () => {})).toThrow(message);
  });
});

describe('compilerSettings', () => {
  it('prefers environment variables, and makes paths absolute but not bare names', () => {
    expect(compilerSettings(configOf(''))).toEqual({ rustc: 'rustc', wrapper: null });
    expect(compilerSettings(configOf('build.rustc="bin/rustc"')).rustc).toBe('/ws/bin/rustc');
    expect(compilerSettings(configOf('build.rustc="my-rustc"')).rustc).toBe('my-rustc');
    expect(compilerSettings(configOf('build.rustc="x"', { RUSTC: './r' })).rustc).toBe('/ws/p/./r');
    expect(compilerSettings(configOf('build.rustc-wrapper="w"', { RUSTC_WRAPPER: '' })).wrapper).toBeNull();
  });

  it('takes flags from the first source that sets them', () => {
    const env = { RUSTFLAGS: ' --cfg  x ', CARGO_ENCODED_RUSTFLAGS: '--cfg\x1fa b' };
    const flags = (text: string, variables = {}) =>
      targetFlags(configOf(text, variables), 'wasm32-wasip1', (key) => key === 'cfg(unix)');
    expect(flags('build.rustflags="-q"', env)).toEqual(['--cfg', 'a b']);
    expect(flags('build.rustflags="-q"', { RUSTFLAGS: env.RUSTFLAGS })).toEqual(['--cfg', 'x']);
    expect(flags('build.rustflags="-q"')).toEqual(['-q']);
    expect(flags('target.wasm32-wasip1.rustflags=["-a"]')).toEqual(['-a']);
    expect(flags('target."cfg(unix)".rustflags="-b"')).toEqual(['-b']);
    expect(flags('target."cfg(windows)".rustflags="-c"')).toEqual([]);
  });
});
