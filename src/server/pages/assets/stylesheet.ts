/** The stylesheet of all pages. */
import type { Colour } from '../../shared/colour.ts';
import { BASE_STYLES } from './styles/base.ts';
import { BROWSE_STYLES } from './styles/browse.ts';
import { CHART_STYLES } from './styles/chart.ts';
import { CONTROL_STYLES } from './styles/controls.ts';
import { CRATE_STYLES } from './styles/crate.ts';
import { HOME_STYLES } from './styles/home.ts';
import { LIST_STYLES } from './styles/lists.ts';
import { paletteCss } from './styles/palette.ts';
import { README_STYLES } from './styles/readme.ts';
import { SETTINGS_STYLES } from './styles/settings.ts';
import { SITE_FRAME_STYLES } from './styles/site-frame.ts';
import { SOURCE_STYLES } from './styles/source.ts';

/**
 * Returns the stylesheet, with the accent of the registry. Later styles override earlier ones, so the order matters.
 */
export function makeStylesheet(accent: Colour): string {
  return [
    paletteCss(accent),
    BASE_STYLES,
    SITE_FRAME_STYLES,
    CONTROL_STYLES,
    LIST_STYLES,
    BROWSE_STYLES,
    HOME_STYLES,
    CRATE_STYLES,
    CHART_STYLES,
    README_STYLES,
    SOURCE_STYLES,
    SETTINGS_STYLES,
  ].join('');
}
