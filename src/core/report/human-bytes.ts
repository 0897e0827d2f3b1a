/** Sizes as cargo prints them. */
import { present } from '../errors/assert.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/**
 * Returns `730B`, `1.2KiB` or `5.0MiB`: one decimal for all units except bytes, with halves rounded to even. Computes
 * in single precision, as cargo, so that just below a unit `1024.0KiB` is possible.
 */
export function humanBytes(bytes: number): string {
  const single = Math.fround(bytes);
  const magnitude = Math.fround(Math.fround(Math.log2(single)) / 10);
  const index = Math.min(Math.max(Math.trunc(magnitude), 0), UNITS.length - 1);
  const unit = present(UNITS[index], 'the unit of a size');
  return index === 0 ? `${single}${unit}` : `${oneDecimal(single / 1024 ** index)}${unit}`;
}

/** Returns `value` with one decimal. `value` times ten is exact, as `value` has at most 24 bits. */
function oneDecimal(value: number): string {
  const tenths = value * 10;
  const below = Math.floor(tenths);
  const fraction = tenths - below;
  const rounded = fraction > 0.5 || (fraction === 0.5 && below % 2 === 1) ? below + 1 : below;
  return (rounded / 10).toFixed(1);
}
