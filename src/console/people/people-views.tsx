import type { ReactNode } from 'react';
import type { ConsoleAccount } from '../../contract/people.ts';
import { AccountView } from './account-view.tsx';
import { AuditView } from './audit-view.tsx';
import { PeopleView } from './people-view.tsx';
import { ConfirmProvider } from './use-change.tsx';

/** The views about people, which are loaded together when one of them is opened. */
export function PeopleViews({
  view,
  account,
}: {
  readonly view: 'account' | 'people' | 'audit';
  readonly account: ConsoleAccount;
}): ReactNode {
  return <ConfirmProvider kind={account.kind}>{renderView(view, account)}</ConfirmProvider>;
}

function renderView(view: 'account' | 'people' | 'audit', account: ConsoleAccount): ReactNode {
  switch (view) {
    case 'account':
      return <AccountView />;
    case 'people':
      return <PeopleView you={account.name} />;
    case 'audit':
      return <AuditView />;
  }
}
