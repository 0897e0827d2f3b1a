import { DEMO_ADMIN } from '../demo-users.ts';
import type { SampleCrate } from '../sample-crate.ts';

/** The crate that is a program. */
export const BREW: SampleCrate = {
  name: 'brew',
  description: 'Makes a mug of tea on the command line',
  owner: DEMO_ADMIN.login,
  keywords: ['tea', 'cli'],
  categories: ['command-line-utilities'],
  dependencies: [
    { name: 'leaf', versionReq: '^1.0' },
    { name: 'teapot', versionReq: '^1.1', features: ['serve'] },
  ],
  features: {},
  readme: `\`\`\`console
$ cargo install brew --registry mine
$ brew oolong
250 ml of oolong tea, 3 minutes at 90 °C
\`\`\`
`,
  source: 'src/main.rs',
  code: `//! Makes a mug of tea on the command line.

use std::{env, process::ExitCode};

use leaf::Leaf;
use teapot::Teapot;

const MILLILITRES: u32 = 250;

fn main() -> ExitCode {
    let name = env::args().nth(1).unwrap_or_else(|| "black".to_owned());
    match name.parse::<Leaf>() {
        Ok(leaf) => {
            let mug = Teapot::brew(leaf, MILLILITRES).serve(MILLILITRES);
            let (minutes, temperature) = (leaf.minutes(), leaf.temperature());
            println!("{} ml of {name} tea, {minutes} minutes at {temperature}", mug.content());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
`,
  releases: [
    { version: '1.0.0', daysAgo: 60, downloads: 211, change: 'First release.' },
    { version: '1.0.1', daysAgo: 2, downloads: 96, change: 'Name unknown teas in the error.' },
  ],
};
