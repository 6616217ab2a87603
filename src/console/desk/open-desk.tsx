import { type ReactNode, Suspense, lazy, useEffect } from 'react';
import type { ConsoleOverview } from '../../contract/console.ts';
import { SIGNED_OUT_EVENT } from '../live/leave-to-sign-in.ts';
import { Loading, Panel, Problem } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { hrefOf, openRoute } from '../route.ts';
import { Bar } from './bar.tsx';
import { CheckPanel } from './check-panel.tsx';
import styles from './open-desk.module.css';
import fieldStyles from '../parts/field.module.css';
import { LinesSection } from './lines/lines-section.tsx';
import { useDeskTexts } from './locale/use-desk-texts.ts';
import { Notices } from './notices.tsx';
import { Failed } from './parts/failed.tsx';
import { AnnouncementsSection } from './sections/announcements-section.tsx';
import { LinksSection, SettingsSection } from './sections/form-sections.tsx';
import { ImagesSection } from './sections/images-section.tsx';
import { PreviewSection } from './preview/preview-section.tsx';
import { TargetsSection } from './sections/targets-section.tsx';
import { ThemeSection } from './sections/theme-section.tsx';
import { createDeskApi } from './store/create-desk-api.ts';
import { createDraftStore } from './store/create-draft-store.ts';
import { SITE_FILE } from './store/draft-files.ts';
import { DeskProvider, type DeskTools, useDesk } from './store/desk-context.ts';

// Loaded when it is opened: many sites have no campaign.
const CampaignsSection = lazy(async () => ({
  default: (await import('./campaigns/campaigns-section.tsx')).CampaignsSection,
}));

const MaintenanceSection = lazy(async () => ({
  default: (await import('./maintenance/maintenance-section.tsx')).MaintenanceSection,
}));

// Every text has a name in two languages.
const TextsSection = lazy(async () => ({
  default: (await import('./texts/texts-section.tsx')).TextsSection,
}));

// Loaded when it is opened: most sites are changed by the forms.
const JsonSection = lazy(async () => ({
  default: (await import('./json/json-section.tsx')).JsonSection,
}));

const VersionsSection = lazy(async () => ({
  default: (await import('./versions/versions-section.tsx')).VersionsSection,
}));

const AlertsSection = lazy(async () => ({
  default: (await import('./alerts/alerts-section.tsx')).AlertsSection,
}));

export type DeskViewProps = {
  /** What is open, as the URL says it. */
  readonly part: string;
  readonly overview: ConsoleOverview;
};

export const SECTIONS = [
  'lines',
  'announcements',
  'links',
  'campaigns',
  'targets',
  'texts',
  'theme',
  'images',
  'alerts',
  'maintenance',
  'settings',
  'json',
  'preview',
  'versions',
] as const;

type Section = (typeof SECTIONS)[number];

/**
 * Opens the desk, where the site is changed. Its store lives as long as the page, and guards it: what was typed is not lost in
 * another view, and nobody leaves the page without being warned.
 */
export function openDesk(page: Window & typeof globalThis): (props: DeskViewProps) => ReactNode {
  const api = createDeskApi((...request) => page.fetch(...request));
  const store = createDraftStore(api);
  const tools: DeskTools = { api, store };
  page.addEventListener('beforeunload', (event) => {
    if (Object.keys(store.getSnapshot().typed).length > 0) event.preventDefault();
  });
  page.addEventListener(SIGNED_OUT_EVENT, (event) => {
    if (store.signOut()) event.preventDefault();
  });
  return function DeskView({ part, overview }) {
    // `lines/HOST` opens the field that replaces this line.
    const [name, ...rest] = part.split('/');
    const section = SECTIONS.find((known) => known === name) ?? 'lines';
    return (
      <DeskProvider value={tools}>
        <Desk section={section} wantedLine={rest.join('/')} overview={overview} />
      </DeskProvider>
    );
  };
}

type DeskProps = {
  readonly section: Section;
  /** The host of the line that is to be replaced; empty if none is. */
  readonly wantedLine: string;
  readonly overview: ConsoleOverview;
};

/** The bar, the notices and the open section. */
export function Desk({ section, wantedLine, overview }: DeskProps): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot, isViewer } = useDesk();
  const { desk, draft, hasFailed } = snapshot;
  // Others publish, too.
  useEffect(() => void store.load(), [store, overview.site.hash]);
  if (desk?.isOn === false) {
    return (
      <Panel title={texts.title} id="desk-off">
        <p>{texts.off}</p>
        <p className={kit.note}>{texts.offHow}</p>
      </Panel>
    );
  }
  if (desk === undefined || draft === undefined) {
    return (
      <>
        <Notices />
        {hasFailed ? <Failed text={texts.loadFailed} onRetry={() => void store.load()} /> : <Loading />}
      </>
    );
  }
  return (
    <div className={kit.view}>
      <h2 className="visually-hidden">{texts.title}</h2>
      <Bar />
      <Notices />
      <div className={styles.columns}>
        <SectionNav section={section} />
        <div className={styles.section}>
          <CheckPanel />
          {isViewer && <p className={kit.note}>{texts.viewerNote}</p>}
          {snapshot.json[SITE_FILE] === undefined && <Problem text={texts.brokenFile(SITE_FILE)} />}
          <Suspense fallback={<Loading />}>
            <OpenSection section={section} wantedLine={wantedLine} overview={overview} />
          </Suspense>
        </div>
      </div>
    </div>
  );
}

function OpenSection({ section, wantedLine, overview }: DeskProps): ReactNode {
  switch (section) {
    case 'lines':
      return <LinesSection version={overview.version} wantedLine={wantedLine} />;
    case 'announcements':
      return <AnnouncementsSection />;
    case 'links':
      return <LinksSection />;
    case 'campaigns':
      return <CampaignsSection />;
    case 'targets':
      return <TargetsSection />;
    case 'texts':
      return <TextsSection />;
    case 'theme':
      return <ThemeSection />;
    case 'images':
      return <ImagesSection />;
    case 'alerts':
      return <AlertsSection />;
    case 'maintenance':
      return <MaintenanceSection />;
    case 'settings':
      return <SettingsSection />;
    case 'json':
      return <JsonSection />;
    case 'preview':
      return <PreviewSection />;
    case 'versions':
      return <VersionsSection now={overview.at} />;
  }
}

/** The parts of the site: a list, or a field to choose from on a narrow screen. */
function SectionNav({ section }: { readonly section: Section }): ReactNode {
  const texts = useDeskTexts();
  const { hasPreview } = useDesk();
  const shown = SECTIONS.filter((name) => name !== 'preview' || hasPreview);
  return (
    <nav className={styles.nav} aria-label={texts.parts}>
      <ul className={styles.list}>
        {shown.map((name) => (
          <li key={name}>
            <a
              className={styles.link}
              href={hrefOf({ view: 'desk', part: name })}
              aria-current={name === section ? 'page' : undefined}
            >
              {texts.sections[name]}
            </a>
          </li>
        ))}
      </ul>
      <select
        className={`${fieldStyles.input} ${styles.choice}`}
        aria-label={texts.parts}
        value={section}
        onChange={({ currentTarget }) => {
          openRoute({ view: 'desk', part: currentTarget.value });
        }}
      >
        {shown.map((name) => (
          <option key={name} value={name}>
            {texts.sections[name]}
          </option>
        ))}
      </select>
    </nav>
  );
}
