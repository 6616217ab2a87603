import type { ReactNode } from 'react';
import type { ConsoleAccount } from '../../contract/people.ts';
import { useLocale } from '../locale/locale.ts';
import { hrefOf } from '../route.ts';

/** Says which key of `site.json` turns something on. An owner, who alone may change these keys, gets a link to the field instead. */
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
  if (account?.mayEdit === true && account.role === 'owner')
    return <a href={hrefOf({ view: 'desk', part: place })}>{texts.openDesk[place]}</a>;
  return (
    <>
      {texts.turnOn} <code>{setting}</code>
    </>
  );
}
