/** D-Bus types and their signatures. D-Bus Specification, "Type System". */
import { TsregError } from '../../../core/errors/error.ts';

/** A single complete type. */
export type DBusType =
  | { readonly kind: 'basic'; readonly code: string }
  | { readonly kind: 'array'; readonly of: DBusType }
  | { readonly kind: 'struct'; readonly of: readonly DBusType[] }
  | { readonly kind: 'variant' };

/**
 * Codes of basic types: `y` byte, `b` boolean, `n` `i` `x` integers of 16, 32 and 64 bits, `q` `u` `t` the same without
 * sign, `d` double, `s` string, `o` object path, `g` signature, `h` file descriptor.
 */
const BASIC = 'ybnqiuxtdsogh';
/** The brackets around the members of a struct and of a dictionary entry. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['{', '}'],
]);
/** The limit for arrays and for structs. */
const MAX_DEPTH = 32;

/** Parses a signature. Throws if it is invalid. */
export function parseSignature(signature: string): readonly DBusType[] {
  const types: DBusType[] = [];
  for (let position = 0; position < signature.length; ) {
    const { type, end } = readType(signature, position, 0);
    types.push(type);
    position = end;
  }
  return types;
}

/** Returns the alignment of a type, in bytes. */
export function alignmentOf(type: DBusType): number {
  if (type.kind === 'struct') return 8;
  if (type.kind === 'array') return 4;
  if (type.kind === 'variant') return 1;
  if ('xtd'.includes(type.code)) return 8;
  if ('nq'.includes(type.code)) return 2;
  return 'yg'.includes(type.code) ? 1 : 4;
}

/** Reads the type at `start`, in `depth` other types. */
function readType(signature: string, start: number, depth: number): { type: DBusType; end: number } {
  const code = signature.charAt(start);
  if (code === '' || depth > MAX_DEPTH) throw invalid(signature);
  if (BASIC.includes(code)) return { type: { kind: 'basic', code }, end: start + 1 };
  if (code === 'v') return { type: { kind: 'variant' }, end: start + 1 };
  if (code === 'a') {
    const { type, end } = readType(signature, start + 1, depth + 1);
    return { type: { kind: 'array', of: type }, end };
  }
  // A dictionary entry has the layout of a struct with two members.
  const close = CLOSING.get(code);
  if (close === undefined) throw invalid(signature);
  const members: DBusType[] = [];
  let next = start + 1;
  while (signature.charAt(next) !== close) {
    const { type, end } = readType(signature, next, depth + 1);
    members.push(type);
    next = end;
  }
  if (members.length === 0) throw invalid(signature);
  return { type: { kind: 'struct', of: members }, end: next + 1 };
}

function invalid(signature: string): TsregError {
  return new TsregError(`invalid D-Bus signature \`${signature}\``, { code: 'source' });
}
