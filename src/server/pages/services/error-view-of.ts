/** Turns the errors of page handlers into error pages. */
import { PasswordsBusy } from '../../auth/key-threads.ts';
import { ApiError } from '../../http/api-error.ts';
import { NoLongerAllowed } from '../../records/authorize.ts';
import { ReadOnlyRecords } from '../../records/read-only.ts';
import { isDiskFullError } from '../../shared/full-disk.ts';
import { TooMuchWork } from '../../shared/paced-work.ts';
import { isStoreAway } from '../../shared/store-away.ts';
import { UpstreamProblem } from '../../shared/upstream-problem.ts';
import {
  AWAY,
  BROKEN,
  BUSY,
  type ErrorView,
  FORM_TOO_LARGE,
  FORM_TOO_SLOW,
  FORM_UNREADABLE,
  FULL,
  LISTS_BUSY,
  MIRROR_BUSY,
  NO_LONGER_ALLOWED,
  READ_ONLY,
} from '../shared/error-page.ts';
import { PageError } from './page-handlers.ts';

/** Returns the error page for any error. `AWAY`, `FULL` and `BROKEN` are failures of the server, which it must log. */
export function errorViewOf(error: Error): ErrorView {
  if (error instanceof PageError) return error.view;
  if (error instanceof ApiError && error.status === 413) return FORM_TOO_LARGE;
  if (error instanceof ApiError && error.status === 408) return FORM_TOO_SLOW;
  if (error instanceof ApiError && error.status === 400) return FORM_UNREADABLE;
  if (error instanceof ReadOnlyRecords) return READ_ONLY;
  if (error instanceof NoLongerAllowed) return NO_LONGER_ALLOWED;
  if (error instanceof PasswordsBusy) return BUSY;
  if (error instanceof UpstreamProblem) return MIRROR_BUSY;
  if (error instanceof TooMuchWork) return LISTS_BUSY;
  if (isStoreAway(error)) return AWAY;
  return isDiskFullError(error) ? FULL : BROKEN;
}
