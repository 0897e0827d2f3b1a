/** Something of the upstream is needed and cannot be had; the message says what and why, and no secret. */
export class UpstreamProblem extends Error {
  override readonly name = 'UpstreamProblem';
}
