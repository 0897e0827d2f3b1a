import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { metadata } from '../../src/index.ts';
import { packagesHome } from './system.ts';

/** A package that depends on packages of one sparse registry. */
export class SmallWorkspace {
  readonly cwd: string;
  readonly home: string;

  /**
   * `base` is a folder that does not exist yet, `indexUrl` the address of a registry's index, and `dependencies` a
   * table of requirements on its packages. The default home is a new one.
   */
  constructor(
    base: string,
    indexUrl: string,
    {
      dependencies,
      home = path.join(base, 'home'),
    }: { readonly dependencies: Readonly<Record<string, string>>; readonly home?: string },
  ) {
    this.cwd = path.join(base, 'ws');
    this.home = home;
    mkdirSync(path.join(this.cwd, 'src'), { recursive: true });
    mkdirSync(path.join(this.cwd, '.cargo'));
    mkdirSync(this.home, { recursive: true });
    writeFileSync(path.join(this.cwd, 'src', 'lib.rs'), '');
    writeFileSync(path.join(this.cwd, '.cargo', 'config.toml'), `registries.alt.index = "${indexUrl}"\n`);
    const lines = Object.entries(dependencies).map(
      ([name, req]) => `${name} = { version = "${req}", registry = "alt" }\n`,
    );
    writeFileSync(
      this.manifest,
      `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${lines.join('')}`,
    );
  }

  get manifest(): string {
    return path.join(this.cwd, 'Cargo.toml');
  }

  /** Returns the document. `cache` is the cache mode: `on`, `off` or `verify`. */
  async ask(cache = 'on'): Promise<string> {
    const env = { CARGO_HOME: this.home, TSREG_CACHE: cache, PATH: process.env['PATH'] };
    return Buffer.from((await metadata({ cwd: this.cwd, env, report: {} })).bytes).toString();
  }

  /** Returns the entries of the result cache. */
  results(): readonly string[] {
    const folder = path.join(this.home, 'tsreg', 'cache', 'results');
    return readdirSync(folder).map((name) => path.join(folder, name));
  }

  /** Returns the only registry folder in `registry/KIND` of the home. */
  registryFolder(kind: 'cache' | 'index' | 'src'): string {
    const parent = path.join(packagesHome(this.home), 'registry', kind);
    const [name = ''] = readdirSync(parent);
    return path.join(parent, name);
  }
}
