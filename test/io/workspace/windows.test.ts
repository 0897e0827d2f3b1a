import { describe, expect, it, vi } from 'vitest';
import { normalizePath, parentFolder } from '../../../src/core/files/path.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { sourcePath } from '../../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { fetchedPackage } from '../../../src/io/sources/folder-source.ts';
import { loadPackage } from '../../../src/io/sources/load-package.ts';
import { findManifest, resolveManifestPath } from '../../../src/io/workspace/find-manifest.ts';
import { loadWorkspace } from '../../../src/io/workspace/load-workspace.ts';
import { ManifestLoader } from '../../../src/io/workspace/manifest-loader.ts';
import type { Workspace } from '../../../src/io/workspace/workspace.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';

// The separator of Windows, by which the program recognizes that system.
vi.mock('node:path', async (original) => ({
  ...(await original<object>()),
  sep: '\\',
}));

/** Returns the files of a workspace with Windows paths and line ends. */
function files(folder: string): MemoryFiles {
  const pkg = (name: string, more = ''): string =>
    `[package]\r\nname = "${name}"\r\nedition = "2021"\r\n\r\n[dependencies]\r\n${more}`;
  return new MemoryFiles({
    [`${folder}\\Cargo.toml`]:
      '[workspace]\r\nmembers = ["crates/*", "tools\\\\one"]\r\nexclude = ["crates\\\\old"]\r\nresolver = "2"\r\n',
    [`${folder}\\crates\\a\\Cargo.toml`]: pkg('a', 'b = { path = "..\\\\b" }\r\n'),
    [`${folder}\\crates\\a\\src\\main.rs`]: '',
    [`${folder}\\crates\\b\\Cargo.toml`]: pkg('b', 'one = { path = "../../tools/one" }\r\n'),
    [`${folder}\\crates\\b\\src\\lib.rs`]: '',
    [`${folder}\\crates\\old\\Cargo.toml`]: pkg('old'),
    [`${folder}\\tools\\one\\Cargo.toml`]: pkg('one'),
    [`${folder}\\tools\\one\\src\\lib.rs`]: '',
  });
}

/** A file system that ignores case. */
class CaseBlindFiles extends MemoryFiles {
  readonly #kinds = new Map<string, ReturnType<MemoryFiles['kind']>>();

  constructor(tree: Readonly<Record<string, string>>) {
    super(tree);
    for (const path of Object.keys(tree)) this.#kinds.set(normalizePath(path).toLowerCase(), 'file');
  }

  override kind(path: string): ReturnType<MemoryFiles['kind']> {
    return super.kind(path) ?? this.#kinds.get(normalizePath(path).toLowerCase()) ?? null;
  }
}

function load(manifest: string, tree: MemoryFiles): Workspace {
  const sources = new SourceTable();
  const registry = (name: string): SourceId => {
    throw new Error(name);
  };
  const cargoHome = 'C:\\Users\\me\\.cargo';
  return loadWorkspace(manifest, new ManifestLoader({ files: tree, sources, registry, cargoHome }));
}

describe('a workspace with Windows paths', () => {
  it.each(['C:\\ws', 'd:\\Long path\\with spaces\\ws', `C:\\${'x'.repeat(200)}\\${'y'.repeat(200)}`])(
    'is found and loaded in %s',
    (folder) => {
      const tree = files(folder);
      const manifest = `${folder}\\crates\\a\\Cargo.toml`;
      expect(findManifest(`${folder}\\crates\\a\\src`, tree)).toBe(manifest);
      expect(resolveManifestPath('..\\a/Cargo.toml', `${folder}\\crates\\b`, tree)).toBe(manifest);
      const { root, members } = load(manifest, tree);
      expect(root).toBe(folder);
      expect(members.map(({ summary }) => summary.id.name)).toEqual(['a', 'b', 'one']);
      expect(members.map(({ path }) => parentFolder(path))).toEqual([
        `${folder}\\crates\\a`,
        `${folder}\\crates\\b`,
        `${folder}\\tools\\one`,
      ]);
      expect(members.map(({ summary }) => sourcePath(summary.id.source))).toEqual(
        members.map(({ path }) => parentFolder(path)),
      );
      expect(members.flatMap(({ targets }) => targets.map(({ srcPath }) => srcPath))).toEqual([
        `${folder}\\crates\\a\\src\\main.rs`,
        `${folder}\\crates\\b\\src\\lib.rs`,
        `${folder}\\tools\\one\\src\\lib.rs`,
      ]);
      for (const member of members) expect(fetchedPackage(member).root).toBe(parentFolder(member.path));
    },
  );

  it('has the targets that a file system that ignores case finds', () => {
    const text = '[package]\r\nname = "a"\r\n[lib]\r\npath = "SRC/other.rs"\r\n';
    const tree = new CaseBlindFiles({
      'C:\\ws\\Cargo.toml': text,
      'C:\\ws\\Src\\Other.rs': '',
      'C:\\ws\\Src\\Main.rs': '',
    });
    const { members } = load('C:\\ws\\Cargo.toml', tree);
    expect(members.flatMap(({ targets }) => targets.map(({ srcPath }) => srcPath))).toEqual([
      'C:\\ws\\SRC\\other.rs',
      'C:\\ws\\src\\main.rs',
    ]);
  });

  it('loads packages of sources with one kind of separator', () => {
    const paths: string[] = [];
    const load = (path: string): never => {
      paths.push(path);
      throw new Error('enough');
    };
    const source = new SourceTable().forPath('C:\\ws');
    expect(() => loadPackage('C:\\ws', source, load)).toThrow('enough');
    expect(paths).toEqual(['C:\\ws\\Cargo.toml']);
  });

  it('ends its search at the drive or at the share', () => {
    const none = new MemoryFiles({ 'C:\\x\\file': '', '\\\\server\\share\\x\\file': '' });
    expect(() => findManifest('C:\\x', none)).toThrow('could not find `Cargo.toml` in `C:\\x`');
    expect(() => findManifest('\\\\server\\share\\x', none)).toThrow('could not find `Cargo.toml`');
  });
});
