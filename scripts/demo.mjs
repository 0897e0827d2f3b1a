// The demonstration of `npm start`: starts a private registry, publishes to it, uses a crate from it, yanks a version
// and unyanks it. It works in a temporary folder with its own CARGO_HOME, over 127.0.0.1, and removes the folder at the
// end. The output has at most 40 lines of at most 80 columns.
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

/** Returns the environment of the commands, without the user's settings for cargo, tsreg or proxies. */
function environment(folder) {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:CARGO|TSREG|CI$|NO_COLOR$)/i.test(name));
  const here = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
  // From release 22 on, Node would otherwise leave its compile cache behind.
  const cache = { NODE_COMPILE_CACHE: path.join(folder, 'compiled') };
  return { ...Object.fromEntries(own), ...here, ...cache, CARGO_HOME: path.join(folder, 'cargo-home') };
}

/** Returns `text` in lines that fit the width, with `…` for the temporary folder. */
function shorten(text, folder) {
  const lines = text.replaceAll(folder, '…').trimEnd().split('\n');
  return lines.map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line)).join('\n');
}

/** A temporary folder with the two workspaces, and the commands that run there. */
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

  /** Starts a registry and returns the URL of its index. */
  async serve(args) {
    const log = openSync(path.join(this.folder, 'log'), 'w');
    this.show('.', args, ' &');
    this.server = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.folder,
      env: this.env,
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    const printed = [];
    for await (const line of createInterface({ input: this.server.stdout })) {
      printed.push(line);
      if (line.startsWith('data ')) break;
    }
    const index = printed.find((line) => line.startsWith('index '))?.slice('index '.length);
    if (index !== undefined) {
      console.log(shorten(printed.join('\n'), this.folder));
      return index;
    }
    console.log(readFileSync(path.join(this.folder, 'log'), 'utf8'));
    throw new Error('the registry did not start');
  }

  /**
   * Runs a command in the folder `cwd` of the stage and prints the output lines that match `lines`. `input` and
   * `output` are files for stdin and stdout. If the command fails, prints everything and throws.
   */
  async run(cwd, args, { input = '', output = '', lines = /./ } = {}) {
    this.show(cwd, args, [input && ` < ${input}`, output && ` > ${output}`].join(''));
    const at = (name) => path.join(this.folder, cwd, name);
    const log = path.join(this.folder, 'command-log');
    // Both streams go to one file, which keeps their order.
    const both = openSync(log, 'w');
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
    const text = shorten(readFileSync(log, 'utf8'), this.folder);
    const printed = text.split('\n').filter((line) => code !== 0 || lines.test(line));
    if (printed.length > 0) console.log(printed.join('\n'));
    this.ran += 1;
    if (code !== 0) throw new Error(`it ended with ${signal ?? `status ${code}`}`);
  }

  show(cwd, args, rest) {
    console.log(`${cwd === '.' ? '' : `${cwd} `}$ tsreg ${args.join(' ')}${rest}`);
  }

  async stop() {
    const { server } = this;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'close');
  }

  /** Stops everything immediately and removes the folder. */
  clear() {
    this.command?.kill('SIGKILL');
    this.server?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function playRound(stage) {
  const at = ['--registry', REGISTRY];
  const step = (text) => console.log(`${stage.ran === 0 ? '' : '\n'}${text}`);
  step('Start a private registry on this machine, and log in:');
  const index = await stage.serve(['serve', '--listen', '127.0.0.1:0', '--data', 'data']);
  writeFileSync(
    path.join(stage.env.CARGO_HOME, 'config.toml'),
    `[registries.${REGISTRY}]\nindex = "${index}"\n`,
  );
  await stage.run('.', ['serve', 'token', '--user', 'you', '--data', 'data'], { output: 'token' });
  await stage.run('.', ['login', ...at], { input: 'token', lines: /Login/ });

  step('Publish a workspace. Dependencies go first:');
  const publish = ['publish', '--workspace', '--no-verify', ...at];
  await stage.run('kitchen', publish, { lines: /Published/ });

  step('Find a crate, and use it in another workspace:');
  await stage.run('.', ['search', 'kettle', ...at], { lines: / = / });
  await stage.run('house', ['tree'], { lines: /house v|──/ });

  step('Yank a version. Projects with the version in Cargo.lock can still use it:');
  await stage.run('.', ['yank', 'kettle@1.0.0', ...at], { lines: / Yank / });
  await stage.run('house', ['metadata', '--format-version', '1', '--locked'], { output: 'metadata.json' });
  const text = readFileSync(path.join(stage.folder, 'house', 'metadata.json'), 'utf8');
  console.log(`(${JSON.parse(text).packages.length} packages in ${text.length} bytes of JSON)`);
  await stage.run('.', ['yank', 'kettle@1.0.0', '--undo', ...at], { lines: / Unyank / });
}

/** Runs the demonstration and prints it to stdout. Returns the exit status. */
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
${stage.ran} commands in ${seconds} s. The registry is stopped and its folder is removed.
Try next:
  npm start -- tree --manifest-path PATH/Cargo.toml   show your dependencies
  npm start -- serve                                  run a registry
  npm start -- --help                                 list all commands`);
    return 0;
  } catch (error) {
    console.log(`\nThe demonstration failed: ${error.message}`);
    return 1;
  } finally {
    clear();
  }
}
