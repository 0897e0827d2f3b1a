/** An error for something that the upstream cannot provide. The message says what and why, and has no secrets. */
export class UpstreamProblem extends Error {
  override readonly name = 'UpstreamProblem';
}
