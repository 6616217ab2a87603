import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PageMaintenance, PageRequest } from '../../../contract/page/page-data.ts';
import type { Locale } from '../../../contract/site/locales.ts';
import type { Texts } from '../../../contract/site/text-keys.ts';
import { writeNoteStyle } from '../document/plain-html.ts';

export const MAINTENANCE_STYLE = writeNoteStyle('maintenance-note');

/**
 * Renders the note above a page that says that the site is in maintenance. It is empty at any other time. React does not take it
 * over: nothing of it changes, and so no visitor downloads a script for it.
 */
export function renderMaintenanceNote(
  { site, locale }: PageRequest,
  texts: Texts,
  /** A landmark, unless it is inside one. */
  Element: 'aside' | 'p' = 'aside',
): string {
  const { maintenance } = site;
  if (!maintenance) return '';
  return renderToStaticMarkup(
    <Element id="maintenance-note">
      {texts.maintenanceNote}
      {maintenance.reason !== undefined && (
        <>
          {' '}
          <bdi>{maintenance.reason}</bdi>
        </>
      )}
      {maintenance.until !== undefined && (
        <>
          {' '}
          <MaintenanceEnd until={maintenance.until} locale={locale} text={texts.maintenanceEnd} />
        </>
      )}
    </Element>,
  );
}

type MaintenanceEndProps = {
  readonly until: number;
  readonly locale: Locale;
  /** With a place for the time. */
  readonly text: string;
};

/** Says when a maintenance ends, in UTC: see `writeTimeScript`. */
export function MaintenanceEnd({ until, locale, text }: MaintenanceEndProps): ReactNode {
  const [before, after] = text.split('{time}');
  const format = new Intl.DateTimeFormat(locale, { ...TIME_FORMAT, timeZone: 'UTC', timeZoneName: 'short' });
  return (
    <>
      {before}
      <time dateTime={new Date(until).toISOString()}>{format.format(until)}</time>
      {after}
    </>
  );
}

const TIME_FORMAT = { month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

/** Writes the script that shows the end in the time zone of the visitor. It is empty where no end is shown. */
export function writeTimeScript(maintenance: PageMaintenance | undefined): string {
  if (maintenance?.until === undefined) return '';
  const format = JSON.stringify(TIME_FORMAT);
  return `document.querySelectorAll('time[datetime]').forEach(function(t){t.textContent=new Date(t.dateTime).toLocaleString(document.documentElement.lang,${format})})`;
}
