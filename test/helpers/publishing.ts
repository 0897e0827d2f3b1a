import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Program, runProgram, type RunResult, tsregProgram } from './program.ts';

/** A workspace package to publish. */
export interface MemberDecl {
  readonly name: string;
  readonly version?: string;
  /** Names of the members that it depends on. */
  readonly needs?: readonly string[];
  /** More lines for `[package]`. */
  readonly more?: string;
  /** Content of `src/lib.rs`. */
  readonly source?: string;
}

/** A user who publishes, with separate folders and a registry named `own`. */
export class Publisher {
  readonly workspace: string;
  readonly home: string;
  readonly #program: Program;
  readonly #env: Readonly<Record<string, string>>;

  /** `base` is an empty folder, `index` the URL of the registry's index. */
  constructor(base: string, index: string, env: Readonly<Record<string, string>> = {}) {
    this.workspace = path.join(base, 'ws');
    this.home = path.join(base, 'home');
    this.#program = tsregProgram();
    this.#env = env;
    mkdirSync(this.workspace, { recursive: true });
    mkdirSync(this.home, { recursive: true });
    writeFileSync(path.join(this.home, 'config.toml'), `[registries.own]\nindex = "${index}"\n`);
  }

  /** Writes members and the manifest of their workspace. */
  write(members: readonly MemberDecl[]): void {
    const names = members.map(({ name }) => JSON.stringify(name)).join(', ');
    writeFileSync(
      path.join(this.workspace, 'Cargo.toml'),
      `[workspace]\nmembers = [${names}]\nresolver = "2"\n`,
    );
    for (const { name, version = '0.1.0', needs = [], more = '', source = 'pub fn f() {}\n' } of members) {
      const folder = path.join(this.workspace, name);
      mkdirSync(path.join(folder, 'src'), { recursive: true });
      writeFileSync(path.join(folder, 'src', 'lib.rs'), source);
      const dependencies = needs.map(
        (each) =>
          `${each} = { path = "../${each}", version = "${members.find((member) => member.name === each)?.version ?? '0.1.0'}", registry = "own" }\n`,
      );
      writeFileSync(
        path.join(folder, 'Cargo.toml'),
        `[package]\nname = "${name}"\nversion = "${version}"\nedition = "2021"\nlicense = "MIT"\ndescription = "d"\n${more}\n[dependencies]\n${dependencies.join('')}`,
      );
    }
  }

  /** The environment of every run. */
  get env(): Readonly<Record<string, string>> {
    return { PATH: process.env['PATH'] ?? '', HOME: this.home, CARGO_HOME: this.home, ...this.#env };
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    return runProgram(this.#program, args, { cwd: this.workspace, env: { ...this.env, ...env } });
  }

  /** Runs `publish --registry own --no-verify` with `args`. */
  publish(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    return this.run(['publish', '--registry', 'own', '--no-verify', ...args], env);
  }
}
