import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';
import { packagesHome } from './system.ts';

/** A copy of the demo workspace with a separate home. */
export class DemoWorkspace {
  readonly cwd: string;
  readonly home: string;
  /** Messages to the user. */
  readonly said: string[] = [];

  /** `base` is a folder that does not exist yet. */
  constructor(base: string) {
    this.cwd = path.join(base, 'ws');
    this.home = path.join(base, 'home');
    cpSync(path.join(projectRoot, 'fixtures', 'demo'), this.cwd, { recursive: true });
  }

  /** Returns the folders of the unpacked packages. */
  packages(): readonly string[] {
    const root = path.join(packagesHome(this.home), 'registry', 'src');
    return readdirSync(root).flatMap((name) =>
      readdirSync(path.join(root, name)).map((each) => path.join(root, name, each)),
    );
  }

  /** Returns the entries of the result cache. */
  results(): readonly string[] {
    const folder = path.join(this.home, 'tsreg', 'cache', 'results');
    return readdirSync(folder).map((name) => path.join(folder, name));
  }
}
