import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConsoleLanguage } from '../contract/console-language.ts';
import { CONSOLE_THEMES, type ConsoleTheme } from '../contract/console-theme.ts';
import type { ConsoleAccount } from '../contract/people.ts';
import { CONSOLE_PATHS } from '../contract/paths.ts';
import styles from './header.module.css';
import type { FeedSnapshot } from './live/create-feed.ts';
import type { SettingsStore } from './locale/create-settings.ts';
import { useLocale } from './locale/locale.ts';
import buttons from './parts/buttons.module.css';
import { type Choice, Switch } from './parts/switch.tsx';
import { type Route, hrefOf } from './route.ts';

type HeaderProps = FeedSnapshot & {
  readonly route: Route;
  /** Undefined until it is loaded. */
  readonly account: ConsoleAccount | undefined;
  /** The view shows the past, and is not updated. */
  readonly isPast: boolean;
  readonly onChange: SettingsStore['change'];
};

const VIEWS = [
  { view: 'overview', href: hrefOf({ view: 'overview' }) },
  { view: 'incidents', href: hrefOf({ view: 'incidents' }) },
  { view: 'where', href: hrefOf({ view: 'where' }) },
  { view: 'why', href: hrefOf({ view: 'why', network: undefined }) },
  { view: 'history', href: hrefOf({ view: 'history', line: '' }) },
  { view: 'visitors', href: hrefOf({ view: 'visitors' }) },
  { view: 'campaigns', href: hrefOf({ view: 'campaigns', code: '' }) },
  { view: 'sessions', href: hrefOf({ view: 'sessions', part: '' }) },
  { view: 'desk', href: hrefOf({ view: 'desk', part: '' }) },
] as const;
const ACCOUNT_VIEW = { view: 'account', href: hrefOf({ view: 'account' }) } as const;
const OWNER_VIEWS = [
  { view: 'people', href: hrefOf({ view: 'people' }) },
  { view: 'audit', href: hrefOf({ view: 'audit' }) },
] as const;

type ViewLink = (typeof VIEWS)[number] | typeof ACCOUNT_VIEW | (typeof OWNER_VIEWS)[number];

/** Each language by its own name, for people who cannot read the other one. */
const LANGUAGES: readonly Choice<ConsoleLanguage>[] = [
  { value: 'zh-CN', text: '中文', lang: 'zh-CN' },
  { value: 'en', text: 'English', lang: 'en' },
];

/** The site's name, whether the data is live, the operator's settings, and the views. */
export function Header({
  route,
  connection,
  lostAt,
  overview,
  account,
  isPast,
  onChange,
}: HeaderProps): ReactNode {
  const { texts, format, language } = useLocale();
  // The view of a line belongs to the overview.
  const current = route.view === 'line' ? 'overview' : route.view;
  const [isOpen, setIsOpen] = useState(false);
  const state = isPast && connection === 'live' ? 'paused' : connection;
  return (
    <header className={styles.header}>
      <h1 className={styles.name}>
        <span className={styles.site}>{overview?.siteNames[language] ?? 'Waypost'}</span> {texts.console}
      </h1>
      <div className={styles.state}>
        <p className={styles.connection} data-connection={state} role="status">
          {state === 'lost' ? texts.lost(format.clock(lostAt ?? Date.now(), Date.now())) : texts[state]}
        </p>
        {/* On a phone, what is rarely needed takes no room until it is asked for. */}
        <button
          className={`${buttons.button} ${styles.more}`}
          type="button"
          aria-label={texts.consoleSettings}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          ⋯
        </button>
        <div className={styles.settings} data-open={isOpen || undefined}>
          <ThemeSwitch onChange={onChange} />
          <ZoneSwitch onChange={onChange} />
          <Switch
            name={texts.language}
            choices={LANGUAGES}
            value={language}
            onChoose={(chosen) => onChange({ language: chosen })}
          />
          <SignedIn account={account} />
          <LogOut account={account} />
        </div>
      </div>
      <Views views={listViews(account)} current={current} openIncidents={overview?.openIncidents ?? 0} />
    </header>
  );
}

type ViewsProps = {
  readonly views: readonly ViewLink[];
  readonly current: Route['view'];
  readonly openIncidents: number;
};

/** The links to the views. On a phone they are one row, which scrolls. */
function Views({ views, current, openIncidents }: ViewsProps): ReactNode {
  const { texts } = useLocale();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[aria-current]');
    // Not by `scrollIntoView`, which would also scroll the page up to its header.
    if (nav.current && open)
      nav.current.scrollLeft = open.offsetLeft - (nav.current.clientWidth - open.offsetWidth) / 2;
    // The owner's views come when the account is loaded.
  }, [current, views.length]);
  return (
    <nav className={styles.views} ref={nav} aria-label={texts.views}>
      {views.map(({ view, href }) => (
        <a
          key={view}
          className={styles.view}
          href={href}
          aria-current={view === current ? 'page' : undefined}
        >
          {texts[view]}
          {view === 'incidents' && openIncidents > 0 && ` (${openIncidents})`}
        </a>
      ))}
    </nav>
  );
}

/** The views that somebody may open. The server refuses the others, too. */
function listViews(account: ConsoleAccount | undefined): readonly ViewLink[] {
  if (account === undefined || account.kind === 'open') return VIEWS;
  return account.role === 'owner' ? [...VIEWS, ACCOUNT_VIEW, ...OWNER_VIEWS] : [...VIEWS, ACCOUNT_VIEW];
}

/** The paths of a screen, a sun and a moon, on 16 × 16. */
const THEME_ICONS: Readonly<Record<ConsoleTheme, string>> = {
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  light:
    'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3',
  dark: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
};

function ThemeSwitch({ onChange }: Pick<HeaderProps, 'onChange'>): ReactNode {
  const { texts, theme } = useLocale();
  return (
    <Switch
      name={texts.theme}
      choices={CONSOLE_THEMES.map((value) => ({
        value,
        text: texts.themes[value],
        icon: (
          <svg className={styles.icon} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={THEME_ICONS[value]} />
          </svg>
        ),
      }))}
      value={theme}
      onChoose={(chosen) => onChange({ theme: chosen })}
    />
  );
}

function ZoneSwitch({ onChange }: Pick<HeaderProps, 'onChange'>): ReactNode {
  const { texts, zone, browserZone } = useLocale();
  // There is nothing to choose.
  if (browserZone.name === 'UTC') return <p>UTC</p>;
  return (
    <Switch
      name={texts.zone}
      choices={[
        { value: 'browser', text: browserZone.offset, title: browserZone.name },
        { value: 'utc', text: 'UTC' },
      ]}
      value={zone}
      onChoose={(chosen) => onChange({ zone: chosen })}
    />
  );
}

/** Shows who is signed in, because several people may share a phone. */
function SignedIn({ account }: Pick<HeaderProps, 'account'>): ReactNode {
  const { texts } = useLocale();
  if (account === undefined || account.kind === 'open') return null;
  return (
    <p className={styles.person} title={texts.signedInAs}>
      <span className="visually-hidden">{texts.signedInAs} </span>
      {account.name} · {texts.roles[account.role]}
    </p>
  );
}

function LogOut({ account }: Pick<HeaderProps, 'account'>): ReactNode {
  const { texts } = useLocale();
  // Nobody else has a session to end.
  if (account?.kind !== 'password' && account?.kind !== 'token') return null;
  return (
    <form method="post" action={CONSOLE_PATHS.logout}>
      <button className={buttons.button}>{texts.logOut}</button>
    </form>
  );
}
