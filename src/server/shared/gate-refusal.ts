/** An error for a version of the upstream that this registry does not serve. The message tells clients why. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
}
