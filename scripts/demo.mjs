// The demonstration of `npm start`: a registry of one's own, what is published to it, found in it, used from it,
// yanked and put back. All of it happens in a temporary folder with a CARGO_HOME of its own, over 127.0.0.1, and is
// gone afterwards; nothing is fetched from anywhere else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.dirname(import.meta.dirname);
const PROGRAM = path.join(root, 'bin', 'tsreg.js');
const WIDTH = 80;
const REGISTRY = 'demo';

/** The environment of the commands: nothing of the user's settings for cargo, tsreg or proxies has a say. */
function environment(folder) {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:CARGO|TSREG|CI$|NO_COLOR$)/i.test(name));
  const here = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
  // What Node keeps of the program from release 22 on would stay behind.
  const kept = { NODE_COMPILE_CACHE: path.join(folder, 'compiled') };
  return { ...Object.fromEntries(own), ...here, ...kept, CARGO_HOME: path.join(folder, 'cargo-home') };
}

/** `text` in lines that fit, with `…` for the folder that nobody will see. */
function shorten(text, folder) {
  const lines = text.replaceAll(folder, '…').trimEnd().split('\n');
  return lines.map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line)).join('\n');
}

/** A folder with the two workspaces, and commands that run there. */
class Stage {
  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'tsreg-demo-'));
    this.env = environment(this.folder);
    this.server = null;
    this.command = null;
    this.ran = 0;
    cpSync(path.join(root, 'fixtures', 'demo-round'), this.folder, { recursive: true });
    mkdirSync(this.env.CARGO_HOME);
  }

  /** Starts a registry; gives the URL of its index. */
  async serve(args) {
    const log = openSync(path.join(this.folder, 'log'), 'w');
    this.show('.', args, ' &');
    this.server = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.folder,
      env: this.env,
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    const said = [];
    for await (const line of createInterface({ input: this.server.stdout })) {
      said.push(line);
      if (line.startsWith('data ')) break;
    }
    const index = said.find((line) => line.startsWith('index '))?.slice('index '.length);
    if (index !== undefined) {
      console.log(shorten(said.join('\n'), this.folder));
      return index;
    }
    console.log(readFileSync(path.join(this.folder, 'log'), 'utf8'));
    throw new Error('the registry did not start');
  }

  /**
   * Runs a command in a folder of the stage and prints what it says. `input` and `output` are files for stdin and
   * stdout. Throws where the exit status is not `status`.
   */
  async run(cwd, args, { input = '', output = '', status = 0 } = {}) {
    this.show(cwd, args, [input && ` < ${input}`, output && ` > ${output}`].join(''));
    const at = (name) => path.join(this.folder, cwd, name);
    const said = path.join(this.folder, 'said');
    // Both streams into one file: what was said first stands first.
    const both = openSync(said, 'w');
    const files = [both];
    const open = (name, flags) => files[files.push(openSync(at(name), flags)) - 1];
    const stdin = input === '' ? 'ignore' : open(input, 'r');
    const stdout = output === '' ? both : open(output, 'w');
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: path.join(this.folder, cwd),
      env: this.env,
      stdio: [stdin, stdout, both],
    });
    for (const file of files) closeSync(file);
    this.command = child;
    const [code, signal] = await once(child, 'close');
    const text = shorten(readFileSync(said, 'utf8'), this.folder);
    if (text !== '') console.log(text);
    this.ran += 1;
    if (code !== status) throw new Error(`it ended with ${signal ?? `status ${code}`}`);
  }

  show(cwd, args, rest) {
    console.log(`\n${cwd === '.' ? '' : `${cwd} `}$ tsreg ${args.join(' ')}${rest}`);
  }

  async stop() {
    const { server } = this;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'close');
  }

  /** At once, whatever is still going on. */
  clear() {
    this.command?.kill('SIGKILL');
    this.server?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** `  lantern 0.2.0   from the registry, needs kettle` */
function describe(pkg, node) {
  const features = node.features.length === 0 ? '' : `, with ${node.features.join(' ')}`;
  const needs = node.deps.map((dep) => dep.name).join(', ') || 'nothing';
  const from = pkg.source === null ? 'this workspace' : 'the registry';
  return `  ${`${pkg.name} ${pkg.version}`.padEnd(14)} of ${from.padEnd(15)} needs ${needs}${features}`;
}

function describeMetadata(text) {
  const { packages, resolve } = JSON.parse(text);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  console.log(`${packages.length} packages in ${text.length} bytes of JSON:`);
  for (const pkg of packages) console.log(describe(pkg, nodes.get(pkg.id)));
}

async function playRound(stage) {
  const at = ['--registry', REGISTRY];
  console.log('A registry of your own, and a token for it:');
  const index = await stage.serve(['serve', '--listen', '127.0.0.1:0', '--data', 'data']);
  writeFileSync(
    path.join(stage.env.CARGO_HOME, 'config.toml'),
    `[registries.${REGISTRY}]\nindex = "${index}"\n`,
  );
  await stage.run('.', ['serve', 'token', '--user', 'you', '--data', 'data'], { output: 'token' });
  await stage.run('.', ['login', ...at], { input: 'token' });

  console.log('\nThe packages of a workspace go there, those first that others need:');
  await stage.run('kitchen', ['publish', '--workspace', '--no-verify', ...at]);
  await stage.run('.', ['search', 'kettle', ...at]);
  await stage.run('.', ['info', 'kettle', ...at]);

  console.log('\nAnother workspace depends on one of them:');
  await stage.run('house', ['metadata', '--format-version', '1'], { output: 'metadata.json' });
  describeMetadata(readFileSync(path.join(stage.folder, 'house', 'metadata.json'), 'utf8'));

  console.log('\nA version that is yanked is gone for whoever does not use it yet:');
  await stage.run('.', ['yank', 'kettle@1.0.0', ...at]);
  await stage.run('.', ['info', 'kettle', ...at], { status: 101 });
  await stage.run('house', ['metadata', '--format-version', '1', '--locked'], { output: 'metadata.json' });
  console.log('(whoever has it in Cargo.lock goes on as before)');
  await stage.run('.', ['yank', 'kettle@1.0.0', '--undo', ...at]);
  await stage.run('.', ['search', 'kettle', ...at]);
}

/** Plays it and says on stdout what is done. Returns the exit status. */
export async function runDemo() {
  const startedMs = performance.now();
  const stage = new Stage();
  const clear = () => stage.clear();
  process.once('exit', clear);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  try {
    await playRound(stage);
    await stage.stop();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`
The registry is stopped and its folder removed. ${stage.ran} commands in ${seconds} s.
\`npm start -- serve\` keeps one running. \`npm start -- metadata\` with
\`--manifest-path …/Cargo.toml\` looks at a workspace of yours, and
\`npm start -- --help\` says what else there is.`);
    return 0;
  } catch (error) {
    console.log(`\nThat was not to be: ${error.message}`);
    return 1;
  } finally {
    clear();
  }
}
