import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CrateDecl } from '../../../helpers/crate.ts';
import { commitToRepo } from '../../../helpers/git-repo.ts';
import { type Program, runProgram, type RunResult } from '../../../helpers/program.ts';
import { publishBody } from '../../../helpers/publish-body.ts';
import { type RecordingServer, startRecordingServer } from '../../../helpers/recording-server.ts';
import { makeTempDir, type TempDir } from '../../../helpers/temp-dir.ts';
import { type Tree, writeTree } from '../../../helpers/tree.ts';
import { type Imitation, KeptCrates } from './imitation.ts';

/** A running imitation of a registry, with a home and a working folder where its name is `peer`. */
export class ImitatedRegistry implements AsyncDisposable {
  readonly imitation: Imitation;
  readonly server: RecordingServer;
  readonly #temp: TempDir;
  readonly #program: Program;

  private constructor(imitation: Imitation, server: RecordingServer, program: Program) {
    this.imitation = imitation;
    this.server = server;
    this.#program = program;
    this.#temp = makeTempDir(`like-${imitation.name}`);
  }

  /** Starts a registry with `crates`. Its index does not show the yanked ones yet. */
  static async start(
    imitation: Imitation,
    crates: readonly CrateDecl[],
    program: Program,
  ): Promise<ImitatedRegistry> {
    const server = await startRecordingServer();
    const registry = new ImitatedRegistry(imitation, server, program);
    for (const decl of crates) {
      const sent = KeptCrates.read(publishBody(decl).bytes);
      if (sent === null) throw new Error('not a publication');
      imitation.crates.add(sent);
      const kept = imitation.crates.find(decl.name, decl.version);
      if (kept !== undefined) kept.isIndexed = decl.yanked !== true;
      imitation.crates.owners.set(decl.name, ['alice']);
    }
    server.restart((request) => {
      const answer = imitation.answer(request, server.url);
      if (request.method !== 'GET') registry.#commit();
      return answer;
    });
    registry.#commit();
    const index =
      imitation.index === 'git' ? pathToFileURL(registry.#repo).href : `sparse+${server.url}/index/`;
    registry.write({
      'home/config.toml': `registries.peer.index = "${index}"\nregistry.global-credential-providers = ["cargo:token"]\nnet.retry = 0\n`,
      'w/.keep': '',
    });
    return registry;
  }

  get #repo(): string {
    return path.join(this.#temp.path, 'index');
  }

  /** Writes files below a folder in which `home` is `CARGO_HOME` and `w` is the working folder of programs. */
  write(files: Tree): void {
    writeTree(this.#temp.path, files);
  }

  /** Runs the program. `token` defaults to the one that the registry accepts; null means no token. */
  async run(
    args: readonly string[],
    { token = this.imitation.token, input }: { readonly token?: string | null; readonly input?: string } = {},
  ): Promise<RunResult> {
    return await runProgram(this.#program, args, {
      cwd: path.join(this.#temp.path, 'w'),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.#temp.path,
        CARGO_HOME: path.join(this.#temp.path, 'home'),
        ...(token === null ? {} : { CARGO_REGISTRIES_PEER_TOKEN: token }),
      },
      timeoutMs: 50_000,
      ...(input === undefined ? {} : { input }),
    });
  }

  /** Commits the current index to its git repository. */
  #commit(): void {
    if (this.imitation.index !== 'git') return;
    const config = JSON.stringify(this.imitation.config(this.server.url));
    const files = Object.fromEntries([['config.json', config], ...this.imitation.files(this.server.url)]);
    commitToRepo(this.#repo, [{ files }]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    this.#temp.remove();
  }
}
