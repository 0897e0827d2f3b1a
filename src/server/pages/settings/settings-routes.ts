/** `/crates/NAME/settings`: the settings of a crate and their forms. */
import { Hono } from 'hono';
import type { HttpEnv } from '../../http/http-env.ts';
import type { CratePages } from '../crate/crate-routes.ts';
import type { PageHandlers, PageServices } from '../services/page-handlers.ts';
import { SettingsForms } from './settings-forms.ts';
import { SettingsPages } from './settings-pages.ts';

/** Returns the routes. They must precede those of `/crates/NAME/VERSION`, which match the same paths. */
export function settingsRoutes(
  { context }: PageServices,
  handlers: PageHandlers,
  { crates }: { readonly crates: CratePages },
): Hono<HttpEnv> {
  const pages = new SettingsPages(context, crates);
  const forms = new SettingsForms(context, pages);
  return new Hono<HttpEnv>()
    .get(
      '/crates/:name/settings',
      handlers.user((request) => pages.showDone(request)),
    )
    .post(
      '/crates/:name/trusted-only',
      handlers.userForm((request, form) => forms.changeTrustedOnly(request, form)),
    )
    .post(
      '/crates/:name/settings/yank',
      handlers.userForm((request, form) => forms.yank(request, form)),
    )
    .post(
      '/crates/:name/settings/unyank',
      handlers.userForm((request, form) => forms.unyank(request, form)),
    )
    .post(
      '/crates/:name/settings/documentation/remove',
      handlers.userForm((request, form) => forms.removeDocumentation(request, form)),
    )
    .post(
      '/crates/:name/settings/owners',
      handlers.userForm((request, form) => forms.changeOwners(request, { form, action: 'add' })),
    )
    .post(
      '/crates/:name/settings/owners/remove',
      handlers.userForm((request, form) => forms.changeOwners(request, { form, action: 'remove' })),
    )
    .post(
      '/crates/:name/settings/publishers',
      handlers.userForm((request, form) => forms.addPublisher(request, form)),
    )
    .post(
      '/crates/:name/settings/publishers/:id/remove',
      handlers.userForm((request) => forms.removePublisher(request)),
    );
}
