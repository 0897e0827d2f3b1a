/**
 * Returns a finite float as the Rust crate `serde_json` prints it: in the shortest digits that parse to the same value,
 * with an exponent below 1e-5 and from 1e16 on, else with a decimal point.
 */
export function floatText(value: number): string {
  const absolute = Math.abs(value);
  if (absolute !== 0 && (absolute >= 1e16 || absolute < 1e-5)) return value.toExponential();
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('.') ? text : `${text}.0`;
}
