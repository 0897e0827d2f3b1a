import { describe, expect, it } from 'vitest';
import { Config } from '../../../src/io/config/config.ts';
import { buildDirectory, targetDirectory } from '../../../src/io/config/target-directory.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

const FILE = '/ws/.cargo/config.toml';

function configOf(
  text: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Config {
  const files = new MemoryFiles({ [FILE]: text, '/ws/p/': '' });
  const { report } = recordingContext().context;
  return new Config({ cwd: '/ws/p', env: { HOME: '/home', ...env }, files, report }).withArguments(args);
}

describe('targetDirectory', () => {
  it('is `target` in the root by default', () => {
    expect(targetDirectory(configOf(''), '/ws/p')).toBe('/ws/p/target');
  });

  it('prefers CARGO_TARGET_DIR, then --config, then CARGO_BUILD_TARGET_DIR, then files', () => {
    const file = 'build.target-dir="./a/../file"';
    const key = { CARGO_BUILD_TARGET_DIR: 'key' };
    const args = ['build.target-dir="args"'];
    expect(targetDirectory(configOf(file), '/r')).toBe('/ws/./a/../file');
    expect(targetDirectory(configOf(file, key), '/r')).toBe('/ws/p/key');
    expect(targetDirectory(configOf(file, key, args), '/r')).toBe('/ws/p/args');
    expect(targetDirectory(configOf(file, { ...key, CARGO_TARGET_DIR: '../x' }, args), '/r')).toBe(
      '/ws/p/../x',
    );
  });

  it('refuses an empty path', () => {
    expect(() => targetDirectory(configOf('build.target-dir=""'), '/r')).toThrow(
      `the target directory is set to an empty string in ${FILE}`,
    );
    expect(() => targetDirectory(configOf('', { CARGO_TARGET_DIR: '' }), '/r')).toThrow(
      'the target directory is set to an empty string in the `CARGO_TARGET_DIR` environment variable',
    );
  });
});

describe('buildDirectory', () => {
  it('is the target directory by default', () => {
    expect(buildDirectory(configOf('build.target-dir="t"'), '/r')).toBe('/ws/t');
    expect(buildDirectory(configOf('build.build-dir="b"'), '/r')).toBe('/ws/b');
  });

  it('replaces template variables', () => {
    const config = configOf('build.build-dir="{workspace-root}/x/{cargo-cache-home}/{workspace-path-hash}"');
    expect(buildDirectory(config, '/nowhere/at/all')).toMatch(
      /^\/nowhere\/at\/all\/x\/\/home\/\.cargo\/[0-9a-f]{2}\/[0-9a-f]{14}$/,
    );
  });

  it.each([
    [
      '{foo}/x',
      'unexpected variable `foo` in build.build-dir path `{foo}/x`\n\nhelp: available template variables are ' +
        '`{workspace-root}`, `{cargo-cache-home}`, `{workspace-path-hash}`',
    ],
    [
      '{workspace-rot}',
      'unexpected variable `workspace-rot` in build.build-dir path `{workspace-rot}`\n\n' +
        'help: a template variable with a similar name exists: `workspace-root`',
    ],
    ['{foo', 'unexpected opening bracket `{` in build.build-dir path `{foo`'],
    ['foo}', 'unexpected closing bracket `}` in build.build-dir path `foo}`'],
    ['', `the build directory is set to an empty string in ${FILE}`],
  ])('refuses %j', (template, message) => {
    const config = configOf(`build.build-dir="${template}"`);
    expect(() => buildDirectory(config, '/r')).toThrow(message);
  });
});
