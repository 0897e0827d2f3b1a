import type { Tree } from '../../../helpers/tree.ts';

/** Returns the files of a library in the folder `at`. `more` comes after `[package]`. */
export function library(name: string, { at = '', version = '0.1.0', more = '' } = {}): Tree {
  const head = `[package]\nname = "${name}"\nversion = "${version}"\nedition = "2021"\n`;
  const about = 'description = "d"\nlicense = "MIT"\n';
  const prefix = at === '' ? '' : `${at}/`;
  return { [`${prefix}Cargo.toml`]: `${head}${about}${more}`, [`${prefix}src/lib.rs`]: '' };
}
