/** The flags of `serve` for the name, logo and colours of the registry. */
import { type Flag, type FlagHeading, valueFlag } from '../shared/flag.ts';
import { SERVER_DEFAULTS } from './server-options.ts';

const heading: FlagHeading = 'Identity';

/** The flags of the group `identity` in the options of the server. */
export const IDENTITY_FLAGS: readonly Flag[] = [
  valueFlag('name', 'NAME', {
    heading,
    help: `Name of the website [default: ${SERVER_DEFAULTS.siteName}]`,
    refusesEmpty: true,
  }),
  valueFlag('registry-name', 'NAME', {
    heading,
    help: `Name of the registry in examples, for \`[registries.NAME]\` [default: ${SERVER_DEFAULTS.registryName}]`,
    refusesEmpty: true,
  }),
  valueFlag('logo', 'FILE', {
    heading,
    help: 'SVG, PNG, WebP or JPEG image for the website, of at most 256 KiB',
    refusesEmpty: true,
  }),
  valueFlag('accent', 'COLOUR', {
    heading,
    help: `Colour of links and buttons on the website; the server adjusts it if the contrast is too low [default: ${SERVER_DEFAULTS.accent}]`,
    refusesEmpty: true,
  }),
  valueFlag('welcome', 'FILE', {
    heading,
    help: 'Markdown file to show on the start page, of at most 64 KiB',
    refusesEmpty: true,
  }),
];
