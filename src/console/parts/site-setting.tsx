import type { ReactNode } from 'react';
import type { ConsoleAccount } from '../../contract/people.ts';
import { useLocale } from '../locale/locale.ts';
import { hrefOf } from '../route.ts';

/** Says which key of `site.json` turns something on. Only an owner changes these keys, and gets a link to the place. */
export function SiteSetting({
  setting,
  place,
  account,
}: {
  readonly setting: string;
  /** The part of the desk that has it. */
  readonly place: 'settings' | 'alerts';
  /** Undefined until it is loaded. */
  readonly account: ConsoleAccount | undefined;
}): ReactNode {
  const { texts } = useLocale();
  const mayChange = account?.mayEdit === true && account.role === 'owner';
  return (
    <>
      {texts.turnOn} <code>{setting}</code>{' '}
      {mayChange && <a href={hrefOf({ view: 'desk', part: place })}>{texts.openDesk[place]}</a>}
    </>
  );
}
