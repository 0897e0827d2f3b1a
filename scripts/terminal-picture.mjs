// Creates docs/images/terminal.svg for docs/getting-started.md: real commands with their output and colours, as a
// terminal shows them. They run in a temporary folder with its own CARGO_HOME and registry.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setUp } from './set-up.mjs';
import { terminalSvg } from './terminal-svg.mjs';

const root = path.dirname(import.meta.dirname);
const PICTURE = path.join(root, 'docs', 'images', 'terminal.svg');

/** The scenes of the picture: a folder and a command. */
const SCENES = [
  ['kitchen', 'tsreg publish --workspace --no-verify --registry demo'],
  ['house', 'tsreg tree'],
  ['house', `tsreg metadata --format-version 1 | jq -c '.packages[] | [.name, .version]'`],
  ['house', 'tsreg yank kettle@1.0.0 --registry demo'],
].map(([folder, command]) => ({ folder, command }));

class Studio {
  constructor() {
    this.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tsreg-picture-')));
    this.bin = path.join(this.folder, 'bin');
    cpSync(path.join(root, 'fixtures', 'demo-round'), this.folder, { recursive: true });
    mkdirSync(this.bin);
    const program = path.join(root, 'bin', 'tsreg.js');
    writeFileSync(path.join(this.bin, 'tsreg'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(path.join(this.bin, 'tsreg'), 0o755);
    this.env = {
      PATH: [this.bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
      HOME: this.folder,
      CARGO_HOME: path.join(this.folder, 'cargo-home'),
      NO_PROXY: '127.0.0.1',
    };
    mkdirSync(this.env.CARGO_HOME);
  }

  async serve() {
    const args = ['serve', '--listen', '127.0.0.1:0', '--data', 'data', '-q'];
    this.server = spawn('tsreg', args, {
      cwd: this.folder,
      env: this.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: this.server.stdout })) {
      if (line.startsWith('index ')) this.index = line.slice('index '.length);
      if (line.startsWith('data ')) break;
    }
    const config = `[registries.demo]\nindex = "${this.index}"\n`;
    writeFileSync(path.join(this.env.CARGO_HOME, 'config.toml'), config);
    this.run('.', 'tsreg serve token --user you --data data | tsreg login --registry demo');
  }

  /** Runs a command and returns its stdout and stderr, in colour, with `~` for the temporary folder. */
  run(folder, command) {
    const text = execFileSync('sh', ['-c', `{ ${command}\n} 2>&1`], {
      cwd: path.join(this.folder, folder),
      env: { ...this.env, CARGO_TERM_COLOR: 'always' },
      encoding: 'utf8',
    });
    return text.replaceAll(this.folder, '~').trimEnd();
  }

  close() {
    this.server?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

if (!setUp()) process.exit(1);
const studio = new Studio();
try {
  await studio.serve();
  const shown = SCENES.map(({ folder, command }) => {
    const prompt = `\x1b[32m~/${folder}\x1b[0m \x1b[1m$ ${command}\x1b[0m`;
    return `${prompt}\n${studio.run(folder, command)}`;
  });
  mkdirSync(path.dirname(PICTURE), { recursive: true });
  writeFileSync(PICTURE, terminalSvg(shown.join('\n\n'), { columns: 86, title: 'tsreg' }));
  console.log(path.relative(root, PICTURE));
} finally {
  studio.close();
}
