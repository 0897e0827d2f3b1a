import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { extract } from 'tar';
import { type Checkout, compareCheckout } from './checkout.ts';
import { type Context, isWanted, lastingFolder } from './context.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport } from './report.ts';

/** Compares every workspace of the given folder with every set of flags. */
export async function compareWorkspaces(context: Context): Promise<KindReport> {
  const report = newReport('workspaces');
  const folder = context.options.workspaces;
  if (folder === null) {
    report.faults.push('no folder of workspaces: name one, or set TSREG_WORKSPACES');
    return report;
  }
  const names = (existsSync(path.join(folder, 'Cargo.toml')) ? ['.'] : readdirSync(folder))
    .filter((name) => isInput(path.join(folder, name)) && isWanted(context.options, name))
    // The largest come first, so that the workers end at about the same time.
    .sort((a, b) => statSync(path.join(folder, b)).size - statSync(path.join(folder, a)).size);
  await forEachConcurrently(names, context.options.workers, async (name, worker) => {
    const lasting = lastingFolder('workspaces', worker);
    const checkout = await checkOut(path.join(folder, name), lasting);
    await compareCheckout(context, checkout, { report, wanted: () => true });
  });
  return report;
}

function isInput(file: string): boolean {
  return file.endsWith('.tar.gz') || existsSync(path.join(file, 'Cargo.toml'));
}

async function checkOut(input: string, lasting: string): Promise<Checkout> {
  const home = path.join(lasting, 'home');
  mkdirSync(home, { recursive: true });
  if (!input.endsWith('.tar.gz')) return { name: path.basename(input), root: input, home };
  const name = path.basename(input, '.tar.gz');
  const root = path.join(lasting, name);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  await extract({ file: input, cwd: root });
  return { name, root, home };
}
