import type { User } from '../store/values.ts';
import type { Viewer } from './layout.ts';

/** Returns true if the viewer may change a crate with these owners. Each change checks this again. */
export function mayChangeCrate(viewer: Viewer | null, owners: readonly Pick<User, 'login'>[]): boolean {
  return viewer !== null && (viewer.isAdmin || owners.some(({ login }) => login === viewer.login));
}
