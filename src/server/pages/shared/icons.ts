/** Icons from Lucide (ISC license), as inline SVG. The bundle contains only those that this file imports. */
import {
  Ban,
  BookOpen,
  CalendarClock,
  Clock,
  Download,
  FileText,
  Folder,
  GitBranch,
  House,
  type IconNode,
  Info,
  Layers,
  Library,
  Lightbulb,
  MessageSquareWarning,
  OctagonAlert,
  Package,
  PackagePlus,
  Plug,
  Rss,
  Scale,
  SearchX,
  TrendingUp,
  TriangleAlert,
  User,
  Users,
  Weight,
  Wrench,
} from 'lucide';
import { escapeHtml, trustedHtml, type Html } from './html.ts';

const NODES = {
  book: BookOpen,
  branch: GitBranch,
  calendar: CalendarClock,
  caution: OctagonAlert,
  clock: Clock,
  crate: Package,
  download: Download,
  feed: Rss,
  file: FileText,
  folder: Folder,
  house: House,
  important: MessageSquareWarning,
  library: Library,
  license: Scale,
  new: PackagePlus,
  note: Info,
  plug: Plug,
  'not-found': SearchX,
  popular: TrendingUp,
  size: Weight,
  team: Users,
  tip: Lightbulb,
  tool: Wrench,
  user: User,
  versions: Layers,
  warning: TriangleAlert,
  yanked: Ban,
} as const satisfies Readonly<Record<string, IconNode>>;

/** The name of an icon, after its meaning on the pages. */
export type IconName = keyof typeof NODES;

/** Returns an icon as large as the text around it. Screen readers skip it, so text must say the same. */
export function icon(name: IconName): Html {
  const shapes = NODES[name].map(([tag, attributes]) => `<${tag}${attributesText(attributes)}/>`).join('');
  return trustedHtml(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`);
}

function attributesText(attributes: IconNode[number][1]): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join('');
}
