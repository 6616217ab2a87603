import type { ReactNode } from 'react';
import type { ConsoleAccount } from '../../contract/people.ts';
import switchStyles from '../parts/switch.module.css';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { PageErrorsView } from './page-errors-view.tsx';
import { SessionView } from './session-view.tsx';
import { SessionsView } from './sessions-view.tsx';
import { useSessionTexts } from './texts.ts';

const ERRORS = 'errors';

/** The views of what the pages recorded, which are loaded together when one of them is opened. */
export function SessionsViews({
  part,
  version,
  account,
}: {
  /** Empty or a query for the list, "errors", or the id of a session. */
  readonly part: string;
  readonly version: number;
  /** Undefined until it is loaded. */
  readonly account: ConsoleAccount | undefined;
}): ReactNode {
  const texts = useSessionTexts();
  const isList = part === '' || part.startsWith('?');
  if (!isList && part !== ERRORS) {
    return <SessionView key={part} id={part} version={version} role={account?.role} />;
  }
  return (
    <div className={kit.view}>
      <nav className={switchStyles.switch} aria-label={texts.parts}>
        <a
          className={switchStyles.choice}
          href={hrefOf({ view: 'sessions', part: '' })}
          aria-current={isList ? 'page' : undefined}
        >
          {texts.sessions}
        </a>
        <a
          className={switchStyles.choice}
          href={hrefOf({ view: 'sessions', part: ERRORS })}
          aria-current={isList ? undefined : 'page'}
        >
          {texts.errors}
        </a>
      </nav>
      {isList ? (
        <SessionsView query={part.slice(1)} version={version} account={account} />
      ) : (
        <PageErrorsView version={version} />
      )}
    </div>
  );
}
