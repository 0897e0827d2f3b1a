// VitePress's own theme with the system's fonts, the colours of the project, and a landing page.
import Theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import crate from './crate.svg';
import Landing from './landing.vue';
import './style.css';

export default {
  extends: Theme,
  Layout: () =>
    h(Theme.Layout, null, {
      'nav-bar-title-before': () => h('img', { class: 'crate', src: crate, alt: '', width: 24, height: 24 }),
      'home-hero-before': () => h(Landing),
    }),
};
