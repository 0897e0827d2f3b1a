/**
 * Compares two texts by their UTF-8 bytes, which is the order by code point. Returns a negative number, zero or a
 * positive one. `<` and `>` compare UTF-16 units, which differs beyond U+FFFF.
 */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA === unitB) continue;
    // Surrogates stand for the characters beyond U+FFFF, so they come after all others.
    if (isSurrogate(unitA) !== isSurrogate(unitB)) return isSurrogate(unitA) ? 1 : -1;
    return unitA - unitB;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
