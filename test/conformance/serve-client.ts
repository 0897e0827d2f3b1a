import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Program, runProgram, type RunResult } from '../helpers/program.ts';
import type { ServedRegistry } from '../helpers/served-registry.ts';
import type { Context } from './context.ts';
import type { KindReport } from './report.ts';

/** The expected result of a run: its exit status, and text in stdout or stderr. */
export interface Expected {
  readonly status?: number;
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
}

/** A user with real cargo, a private CARGO_HOME, and maybe a token. */
export class ServeClient {
  readonly folder: string;
  readonly #cargo: Program;
  readonly #report: KindReport;
  readonly #token: string | null;

  constructor(
    { oracle, scratch }: Context,
    report: KindReport,
    who: { readonly name: string; readonly registry: ServedRegistry; readonly token: string | null },
  ) {
    this.folder = path.join(scratch, 'serve', who.name);
    this.#cargo = oracle;
    this.#report = report;
    this.#token = who.token;
    this.write('home/config.toml', [
      `registries.mine.index = "${who.registry.index}"`,
      'registry.global-credential-providers = ["cargo:token"]',
      '',
    ]);
  }

  get home(): string {
    return path.join(this.folder, 'home');
  }

  /** Writes a file from its lines. */
  write(file: string, lines: readonly string[]): void {
    const target = path.join(this.folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, lines.join('\n'));
  }

  /** Writes a library: `[package]` with the fields that a publish needs, followed by the lines of `more`. */
  library(name: string, version: string, more: readonly string[] = []): void {
    this.write(`${name}/Cargo.toml`, [
      '[package]',
      `name = "${name}"`,
      `version = "${version}"`,
      'edition = "2021"',
      `description = "The library ${name}"`,
      'license = "MIT"',
      'publish = ["mine"]',
      ...more,
      '',
    ]);
    this.write(`${name}/src/lib.rs`, [`pub fn name() -> &'static str { "${name} ${version}" }`, '']);
  }

  /** Runs cargo in a subfolder. An unexpected result is a fault. */
  async cargo(
    where: string,
    args: readonly string[],
    { status = 0, stdout, stderr }: Expected = {},
    input?: string,
  ): Promise<RunResult> {
    this.#report.cases += 1;
    this.#report.runs += 1;
    const result = await runProgram(this.#cargo, args, {
      cwd: path.join(this.folder, where),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.folder,
        RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? path.join(process.env['HOME'] ?? '', '.rustup'),
        CARGO_HOME: this.home,
        CARGO_TERM_COLOR: 'never',
        ...(this.#token === null ? {} : { CARGO_REGISTRIES_MINE_TOKEN: this.#token }),
      },
      ...(input === undefined ? {} : { input }),
    });
    const has = (text: string, wanted: string | RegExp | undefined): boolean =>
      wanted === undefined || (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    if (result.status !== status || !has(result.stdout, stdout) || !has(result.stderr, stderr)) {
      this.fault(
        `cargo ${args.join(' ')} in ${where}: status ${result.status} instead of ${status}, wanted ` +
          `${String(stdout ?? '')} ${String(stderr ?? '')}\n${result.stdout}${result.stderr}`,
      );
    }
    return result;
  }

  /** Records a fault. */
  fault(text: string): void {
    this.#report.faults.push(text);
  }
}
