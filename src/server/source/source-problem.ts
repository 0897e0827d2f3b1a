/**
 * The reason why source code cannot be shown. `unreadable`: the archive is damaged or has unusual content. `too-large`:
 * it needs too much time or memory. `busy`: too many requests wait. `missing`: the store has lost the archive.
 * `evicted`: the store does not have the archive, which was only cached.
 */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly kind: 'unreadable' | 'too-large' | 'busy' | 'missing' | 'evicted';

  constructor(kind: SourceProblem['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
