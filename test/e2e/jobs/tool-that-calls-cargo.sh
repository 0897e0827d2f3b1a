# "Can I use tools that call `cargo`?", in a workspace, on a machine that has none.
set -eu

eval "$(tsreg shim ~/.tsreg/bin)"
cargo metadata --format-version 1 --no-deps

# Such a tool starts what it finds on the PATH, asks for the release first, and reads the answer.
node --input-type=module <<'END'
import { execFileSync } from 'node:child_process';

const cargo = (...args) => execFileSync('cargo', args, { encoding: 'utf8' });
console.log(cargo('-V').trim());
const { packages } = JSON.parse(cargo('metadata', '--format-version', '1', '--no-deps'));
console.log(packages.map(({ name }) => name).join(' and '));
END
