/** Floats as Rust prints them. */

/** Returns a float in its shortest digits, without exponent and with a decimal point; or `NaN`, `inf` or `-inf`. */
export function formatDecimal(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const shortest = String(Math.abs(value));
  const exponentMark = shortest.indexOf('e');
  if (exponentMark === -1) return sign + (shortest.includes('.') ? shortest : `${shortest}.0`);
  // JavaScript uses exponents only where all digits are on one side of the decimal point.
  const exponent = Number(shortest.slice(exponentMark + 1));
  const digits = shortest.slice(0, exponentMark).replace('.', '');
  if (exponent > 0) return `${sign}${digits.padEnd(exponent + 1, '0')}.0`;
  return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
}
