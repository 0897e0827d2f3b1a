/** Floats as Rust prints them. */

/** Returns a float in its shortest digits, without exponent and with a decimal point; or `NaN`, `inf` or `-inf`. */
export function formatDecimal(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const sign = Object.is(value, -0) ? '-' : '';
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return sign + (digits.includes('.') ? digits : `${digits}.0`);
  const shift = Number(exponent);
  const negative = digits.startsWith('-') ? '-' : '';
  const plain = digits.replace('-', '').replace('.', '');
  if (shift > 0) return `${negative}${plain.padEnd(shift + 1, '0')}.0`;
  return `${negative}0.${'0'.repeat(-shift - 1)}${plain}`;
}
