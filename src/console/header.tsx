import type { ReactNode } from 'react';
import type { ConsoleOverview } from '../contract/console.ts';
import { CONSOLE_PATHS } from '../contract/paths.ts';
import { formatClock, nameZone } from './format/format-time.ts';
import styles from './header.module.css';
import type { FeedSnapshot } from './live/create-feed.ts';
import { type Route, hrefOf } from './route.ts';
import { TEXTS } from './texts.ts';

type HeaderProps = FeedSnapshot & { readonly route: Route };

const VIEWS = [
  { view: 'overview', text: TEXTS.overview, href: hrefOf({ view: 'overview' }) },
  { view: 'where', text: TEXTS.where, href: hrefOf({ view: 'where' }) },
  { view: 'why', text: TEXTS.why, href: hrefOf({ view: 'why', network: undefined }) },
] as const;

/** The site's name, the views, and whether the data is live. */
export function Header({ route, connection, lostAt, overview }: HeaderProps): ReactNode {
  // The view of a line belongs to the overview.
  const current = route.view === 'line' ? 'overview' : route.view;
  return (
    <header className={styles.header}>
      <h1 className={styles.name}>
        <span className={styles.site}>{overview?.siteName ?? 'Waypost'}</span> {TEXTS.console}
      </h1>
      <nav className={styles.views} aria-label={TEXTS.views}>
        {VIEWS.map(({ view, text, href }) => (
          <a
            key={view}
            className={styles.view}
            href={href}
            aria-current={view === current ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      <div className={styles.state}>
        <p className={styles.connection} data-connection={connection} role="status">
          {connection === 'lost'
            ? TEXTS.lost(formatClock(lostAt ?? Date.now(), Date.now()))
            : TEXTS[connection]}
        </p>
        <p className={styles.zone}>{TEXTS.zone(nameZone(Date.now()))}</p>
        <LogOut access={overview?.access} />
      </div>
    </header>
  );
}

function LogOut({ access }: { readonly access: ConsoleOverview['access'] | undefined }): ReactNode {
  if (access !== 'token') return null;
  return (
    <form method="post" action={CONSOLE_PATHS.logout}>
      <button className={styles.logOut}>{TEXTS.logOut}</button>
    </form>
  );
}
