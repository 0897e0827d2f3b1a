import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Answer } from './answer.ts';
import { type BuiltCrate, buildCrate, type CrateDecl, indexFiles } from './crate.ts';
import { commitOf, type CommitDecl, commitToRepo, headOf, runGit } from './git-repo.ts';
import { rewriteLock } from './older-lock.ts';
import { listPackaged, type PackagedFile, removeUnfinished } from './packaged.ts';
import { type Program, runProgram, withoutRootRights } from './program.ts';
import { writeDirectorySource, writeLocalRegistry } from './registry-folder.ts';
import type { Fault, RegistryServer } from './registry-server.ts';
import type { RegistryDecl, RunDecl, Scenario } from './scenario.ts';
import { onWindows } from './system.ts';
import { listTree, writeTree } from './tree.ts';
import { listVendored, removeVendored } from './vendored.ts';

/** The folders of a sandbox, as absolute paths. */
export interface SandboxPlaces {
  readonly base: string;
  readonly workspace: string;
  readonly home: string;
  readonly registries: string;
  readonly repos: string;
  /** The URL below which the server has this sandbox's registries. */
  readonly address: string;
}

/** Index URL of crates.io as manifests, lock files and documents contain it. */
const defaultIndexUrl = 'https://github.com/rust-lang/crates.io-index';

/**
 * A scenario on disk. Two programs are compared in the same sandbox, one after the other with `start` before each, so
 * that they see the same paths.
 */
export class Sandbox {
  readonly places: SandboxPlaces;
  readonly #scenario: Scenario;
  readonly #server: RegistryServer;
  readonly #id: string;
  #crates: CrateDecl[] = [];
  #faults = new Map<string, readonly Fault[]>();
  /** True while the registries and repositories are unchanged from the scenario. */
  #isPristine = false;

  /** `base` is a folder that the sandbox may empty; `server` serves the sparse registries. */
  constructor(scenario: Scenario, base: string, server: RegistryServer) {
    this.#scenario = scenario;
    this.#server = server;
    this.#id = path.basename(base);
    this.places = {
      base,
      workspace: path.join(base, 'ws'),
      home: path.join(base, 'home'),
      registries: path.join(base, 'registry'),
      repos: path.join(base, 'git'),
      address: `${server.url}/${this.#id}`,
    };
  }

  /** Resets everything: workspace, CARGO_HOME, registries, repositories, faults. */
  start(): void {
    const { registries, repos, base } = this.places;
    this.#faults = new Map();
    if (!this.#isPristine) {
      rmSync(registries, { recursive: true, force: true });
      rmSync(repos, { recursive: true, force: true });
      mkdirSync(registries, { recursive: true });
      mkdirSync(repos, { recursive: true });
      this.#crates = [...(this.#scenario.crates ?? [])];
      for (const [name, commits] of Object.entries(this.#scenario.git ?? {})) this.#commit(name, commits);
      this.#writeRegistries();
      this.#isPristine = true;
    }
    this.#mount();
    this.#resetWorkspace();
    this.#resetHome();
    mkdirSync(path.join(base, 'user'), { recursive: true });
  }

  /** Removes the sandbox's registries from the server and its folders from the disk. */
  remove(): void {
    for (const name of this.#registries().keys()) this.#server.unmount(`${this.#id}/${name}`);
    rmSync(this.places.base, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Makes the changes of `run`, in the order of its fields. */
  apply(run: RunDecl): void {
    const { workspace, home } = this.places;
    if (run.reset === true) this.#resetWorkspace();
    // Each wrong input is tested separately, so that earlier runs cannot affect it through CARGO_HOME.
    const isAlone = run.reset === true && this.#scenario.failures === true;
    if (run.reset_home === true || isAlone) this.#resetHome();
    for (const name of run.remove ?? []) rmSync(path.join(workspace, name), { recursive: true, force: true });
    writeTree(workspace, run.write ?? {}, this.expand);
    this.#runGit(run.git_commands ?? []);
    const lock = run.relock === undefined ? null : this.lockFile();
    if (lock !== null && run.relock !== undefined) {
      writeFileSync(path.join(workspace, 'Cargo.lock'), rewriteLock(lock.toString('utf8'), run.relock));
    }
    for (const name of run.remove_home ?? []) rmSync(path.join(home, name), { recursive: true, force: true });
    writeTree(home, run.write_home ?? {}, this.expand);
    if (run.commit !== undefined) {
      this.#isPristine = false;
      for (const [name, commits] of Object.entries(run.commit)) this.#commit(name, commits);
    }
    if (run.publish !== undefined) {
      this.#isPristine = false;
      for (const crate of run.publish) {
        const at = this.#crates.findIndex(
          (old) =>
            old.name === crate.name &&
            old.version === crate.version &&
            (old.registry ?? 'crates-io') === (crate.registry ?? 'crates-io'),
        );
        if (at < 0) this.#crates.push(crate);
        else this.#crates[at] = crate;
      }
      this.#writeRegistries();
    }
    if (run.faults !== undefined) {
      this.#faults = new Map(Object.entries(run.faults));
    }
    if (run.publish !== undefined || run.faults !== undefined) this.#mount();
  }

  /** Applies `run`'s changes and runs `program`. `extraArgs` are added to the arguments of the run. */
  async run(program: Program, run: RunDecl, extraArgs: readonly string[] = []): Promise<Answer> {
    this.apply(run);
    return this.ask(program, run, extraArgs);
  }

  /** Runs `program` in the current state. */
  async ask(program: Program, run: RunDecl, extraArgs: readonly string[] = []): Promise<Answer> {
    const { workspace, home, base } = this.places;
    const given = (run.args ?? []).map(this.expand);
    const { command = 'metadata' } = this.#scenario;
    const first = command === 'metadata' ? ['metadata', '--format-version', '1'] : [command];
    const args = run.bare === true ? given : [...first, ...given];
    const env: Record<string, string> = {
      PATH: process.env['PATH'] ?? '',
      HOME: path.join(base, 'user'),
      CARGO_HOME: home,
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    // A program's own PATH takes precedence over the run's.
    for (const [name, value] of Object.entries(run.env ?? {})) env[name] = this.expand(value);
    if (program.env['PATH'] !== undefined) env['PATH'] = program.env['PATH'];
    const asked = run.unprivileged === true ? withoutRootRights(program) : program;
    const result = await runProgram(asked, [...args, ...extraArgs], {
      cwd: path.join(workspace, run.cwd ?? ''),
      env,
    });
    const made = this.#listMade(run.bare === true ? (given[0] ?? '') : command, result.status);
    return {
      ...result,
      lock: this.lockFile()?.toString('utf8') ?? null,
      home: this.#listHome(),
      packaged: made,
    };
  }

  #listMade(command: string, status: number): PackagedFile[] {
    const { workspace } = this.places;
    if (command === 'vendor') {
      if (status === 0) return listVendored(workspace);
      removeVendored(workspace);
    }
    if (command !== 'package') return [];
    const packaged = listPackaged(workspace);
    if (status !== 0 && packaged.length > 0) removeUnfinished(workspace);
    return packaged;
  }

  /** Replaces `$D`, `$H`, `$R`, `$G` and `$S` by the places of this sandbox, `$C(repo,ref)` by the id of a commit. */
  readonly expand = (text: string): string => {
    const { workspace, home, registries, repos, address } = this.places;
    const paths = { D: workspace, H: home, R: registries, G: repos };
    const values: Record<string, string> = { ...mapValues(paths, withSlashes), S: address };
    return text
      .replace(/\$([DHRGS])(?![A-Za-z])/g, (whole, letter: string) => values[letter] ?? whole)
      .replace(
        /\$C\(([\w-]+),([\w./-]+)\)/g,
        (_, repo: string, ref: string) => commitOf(path.join(repos, repo), ref) ?? ref,
      );
  };

  /** Returns the result independent of the place of the sandbox: the reverse of `expand`. */
  portable(answer: Answer): Answer {
    const { workspace, home, registries, repos, address, base } = this.places;
    // Their manifests contain the server's address, so their checksums change with its port.
    const checksums = [...this.#registries().keys()]
      .filter((name) => name !== 'crates-io')
      .flatMap((name) => this.#build(name))
      .map(({ checksum, decl }) => [checksum, `$CHECKSUM(${decl.name}-${decl.version})`]);
    const head = existsSync(path.join(workspace, '.git')) ? headOf(workspace) : null;
    const swap = (text: string): string =>
      [
        ...checksums,
        // The commit's files contain paths of the sandbox.
        ...(head === null ? [] : [[head, '$HEAD']]),
        [address, '$S'],
        [this.#server.url, '$SERVER'],
        [new URL(this.#server.url).host, '$HOST'],
        ...spellings(workspace, '$D'),
        ...spellings(home, '$H'),
        ...spellings(registries, '$R'),
        ...spellings(repos, '$G'),
        ...spellings(base, '$B'),
      ]
        .reduce((all, [from = '', to = '']) => all.replaceAll(from, to), text)
        .replace(PATHS_OF_WINDOWS, (path) => path.replace(/\\\\?/g, '/').replace('/tsreg/unshared/', '/'))
        .replace(
          /((?:git\/(?:db|checkouts)|registry\/(?:index|cache|src)|(?:index|cache|src|db|checkouts))\/[^/"\s]*)-[0-9a-f]{16}/g,
          '$1-HASH',
        );
    return {
      status: answer.status,
      stdout: swap(answer.stdout),
      stderr: swap(answer.stderr),
      lock: answer.lock === null ? null : swap(answer.lock),
      home: answer.home,
      packaged: answer.packaged.map((file) => ({ ...file, lines: file.lines.map(swap) })),
    };
  }

  /** Returns the bytes of the workspace's Cargo.lock; null without one. */
  lockFile(): Buffer | null {
    const file = path.join(this.places.workspace, 'Cargo.lock');
    return isFile(file) ? readFileSync(file) : null;
  }

  /**
   * Returns a function that restores the lock files of this moment: `Cargo.lock`, and the one to which cases set
   * `resolver.lockfile-path`.
   */
  saveLockFiles(): () => void {
    const files = ['Cargo.lock', 'locks/Cargo.lock'].map((name) => path.join(this.places.workspace, name));
    const saved = files.map((file) => ({ file, bytes: isFile(file) ? readFileSync(file) : null }));
    return () => {
      for (const { file, bytes } of saved) {
        if (bytes === null) rmSync(file, { force: true });
        else writeFileSync(file, bytes);
      }
    };
  }

  /** Saves the current CARGO_HOME under a name. */
  keepHome(name: string): void {
    const { base, home } = this.places;
    const kept = path.join(base, 'homes', name);
    rmSync(kept, { recursive: true, force: true });
    cpSync(home, kept, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }

  /** Restores the CARGO_HOME that `keepHome` saved. */
  takeHome(name: string): void {
    const { base, home } = this.places;
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    cpSync(path.join(base, 'homes', name), home, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
  }

  /** Returns the SHA-256 of every archive in the registries, in hexadecimal. */
  checksums(): Set<string> {
    return new Set(
      [...this.#registries().keys()].flatMap((name) => this.#build(name).map(({ checksum }) => checksum)),
    );
  }

  #resetWorkspace(): void {
    for (const folder of [this.places.workspace, path.join(this.places.base, 'beside')]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
    mkdirSync(this.places.workspace, { recursive: true });
    writeTree(this.places.workspace, this.#scenario.files, this.expand);
    this.#runGit(this.#scenario.git_commands ?? []);
  }

  #runGit(commands: readonly (readonly string[])[]): void {
    for (const args of commands) runGit(this.places.workspace, args.map(this.expand));
  }

  #resetHome(): void {
    const { home } = this.places;
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    mkdirSync(home, { recursive: true });
    writeTree(home, { 'config.toml': `${this.#config()}\n${this.#scenario.config ?? ''}` }, this.expand);
    writeTree(home, this.#scenario.home ?? {}, this.expand);
  }

  #listHome(): string[] {
    const { home } = this.places;
    const lines = listTree(
      path.join(home, 'registry'),
      (name) => name.endsWith('/.last-updated') || isGitData(name),
    ).map((line) => `registry/${line}`);
    const git = listTree(path.join(home, 'git'), (name) => /^db\/[^/]+\/./.test(name) || isGitData(name));
    // The tag for backup programs only matters if the folder contains anything else.
    const isMarkOnly = lines.length === 1 && lines[0]?.startsWith('registry/CACHEDIR.TAG ') === true;
    return [...(isMarkOnly ? [] : lines), ...git.map((line) => `git/${line}`)];
  }

  /** Returns the registries with their defaults: the declared ones, those that crates name, and always crates-io. */
  #registries(): Map<string, RegistryDecl> {
    const all = new Map<string, RegistryDecl>([['crates-io', { kind: 'local' }]]);
    for (const crate of this.#scenario.crates ?? []) {
      const name = crate.registry ?? 'crates-io';
      if (!all.has(name)) all.set(name, { kind: 'sparse' });
    }
    for (const [name, decl] of Object.entries(this.#scenario.registries ?? {})) {
      all.set(name, { kind: name === 'crates-io' ? 'local' : 'sparse', ...decl });
    }
    return all;
  }

  #config(): string {
    const lines: string[] = [];
    for (const [name, decl] of this.#registries()) {
      const kind = decl.kind ?? 'local';
      if (name !== 'crates-io') {
        lines.push(`[registries.${name}]`, `index = "${this.#indexUrl(name)}"`);
        continue;
      }
      lines.push('[source.crates-io]', 'replace-with = "mirror"', '[source.mirror]');
      const folder = withSlashes(path.join(this.places.registries, name));
      if (kind === 'local') lines.push(`local-registry = "${folder}"`);
      else if (kind === 'directory') lines.push(`directory = "${folder}"`);
      else lines.push(`registry = "${this.#locationOf(name, kind)}"`);
    }
    return lines.join('\n');
  }

  /** Returns the URL by which manifests and index lines name a registry. */
  readonly #indexUrl = (registry: string): string => {
    if (registry === 'crates-io') return defaultIndexUrl;
    return this.#locationOf(registry, this.#registries().get(registry)?.kind ?? 'sparse');
  };

  #locationOf(registry: string, kind: NonNullable<RegistryDecl['kind']>): string {
    return kind === 'git'
      ? pathToFileURL(path.join(this.places.repos, `index-${registry}`)).href
      : `sparse+${this.places.address}/${registry}/`;
  }

  #build(registry: string): BuiltCrate[] {
    return this.#crates
      .filter((crate) => (crate.registry ?? 'crates-io') === registry)
      .map((crate) => buildCrate(crate, this.#indexUrl));
  }

  #writeRegistries(): void {
    for (const [name, decl] of this.#registries()) {
      const folder = path.join(this.places.registries, name);
      if (decl.kind === 'local') writeLocalRegistry(folder, this.#build(name));
      if (decl.kind === 'directory') {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
        writeDirectorySource(folder, this.#build(name));
      }
      if (decl.kind === 'git') {
        const crates = this.#build(name);
        const config = { dl: `${this.places.address}/${name}/dl`, api: this.places.address, ...decl.config };
        const files: Record<string, string> = {
          'config.json': JSON.stringify(config),
          ...Object.fromEntries(indexFiles(crates)),
        };
        commitToRepo(path.join(this.places.repos, `index-${name}`), [{ files }]);
      }
    }
  }

  #mount(): void {
    for (const [name, decl] of this.#registries()) {
      if (decl.kind !== 'sparse' && decl.kind !== 'git') continue;
      this.#server.mount(`${this.#id}/${name}`, {
        crates: this.#build(name),
        ...(decl.config === undefined
          ? {}
          : { config: JSON.parse(this.expand(JSON.stringify(decl.config))) as Record<string, unknown> }),
        ...(decl.token === undefined ? {} : { token: decl.token }),
        faults: this.#faults.get(name) ?? decl.faults ?? [],
      });
    }
  }

  #commit(name: string, commits: readonly CommitDecl[]): void {
    const expanded = commits.map((commit) => ({
      ...commit,
      files: Object.fromEntries(
        Object.entries(commit.files ?? {}).map(([file, text]) => [file, this.expand(text)]),
      ),
      ...(commit.submodules === undefined
        ? {}
        : {
            submodules: Object.fromEntries(
              Object.entries(commit.submodules).map(([at, { url, commit: id }]) => [
                at,
                { url: this.expand(url), commit: id },
              ]),
            ),
          }),
    }));
    commitToRepo(path.join(this.places.repos, name), expanded);
  }
}

/** Matches a Windows path after a place of the sandbox, in messages and in JSON; matches nothing on other systems. */
const PATHS_OF_WINDOWS = onWindows ? /\$[DHRGB](?:\\\\?[^\s"'`\\]+)+/g : /(?!)/g;

/** Returns the same path for a text in which `\` is an escape character. */
function withSlashes(folder: string): string {
  return onWindows ? folder.replaceAll('\\', '/') : folder;
}

/** Returns the spellings of a folder in results, each with its placeholder. */
function spellings(folder: string, name: string): readonly (readonly [string, string])[] {
  if (!onWindows) return [[folder, name]];
  const inUrl = `/${withSlashes(folder)}`;
  return [inUrl, withSlashes(folder), folder.replaceAll('\\', '\\\\'), folder].map((text) => [text, name]);
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns whether a file is internal to git: git and libgit2 write different ones. */
function isGitData(name: string): boolean {
  return /(?:^|\/)\.git(?:\/|$)/.test(name);
}
