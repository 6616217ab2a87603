import type { ReactNode } from 'react';
import { useLocale } from '../locale/locale.ts';
import { hrefOf } from '../route.ts';

/** Says what to write into `site.json` to turn something on. Whoever may change the site gets a link to its place there. */
export function SiteSetting({
  setting,
  place,
  mayEdit,
}: {
  readonly setting: string;
  /** The part of the desk that has it. */
  readonly place: 'settings' | 'json';
  readonly mayEdit: boolean;
}): ReactNode {
  const { texts } = useLocale();
  return (
    <>
      {texts.turnOn} <code>{setting}</code>{' '}
      {mayEdit && <a href={hrefOf({ view: 'desk', part: place })}>{texts.openDesk[place]}</a>}
    </>
  );
}
