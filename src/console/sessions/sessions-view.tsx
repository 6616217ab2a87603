import { type ReactNode, useState } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import type { ConsoleAccount } from '../../contract/people.ts';
import type { RecordingsState, SessionFilter, SessionList } from '../../contract/recordings.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { LastRow } from '../parts/last-row.tsx';
import { Empty, Loading, Panel, Problem } from '../parts/panel.tsx';
import { SiteSetting } from '../parts/site-setting.tsx';
import tables from '../parts/table.module.css';
import kit from '../parts/view.module.css';
import { hrefOf, openRoute } from '../route.ts';
import { FilterBar } from './filter-bar.tsx';
import { readFilter, writeFilter } from './filter-query.ts';
import { SessionRow } from './session-row.tsx';
import styles from './sessions.module.css';
import { Legend } from './strip.tsx';
import { useSessionTexts } from './texts.ts';

const SETTING = '"monitoring": { "intakeUrl": "self" }';
const COLUMNS = 5;

/** The sessions that match the filters of the link, newest first. */
export function SessionsView({
  query,
  version,
  account,
}: {
  readonly query: string;
  readonly version: number;
  /** Undefined until it is loaded. */
  readonly account: ConsoleAccount | undefined;
}): ReactNode {
  const texts = useSessionTexts();
  const filter = readFilter(query);
  // Also has the number of sessions that are kept, and the values that the filters suggest.
  const { data, hasFailed } = useView<SessionList>(pathOf(filter, undefined), version);
  return (
    <Panel title={texts.sessions} note={texts.sessionsNote} id="sessions">
      <div className={kit.stack}>
        <FilterBar filter={filter} seen={data?.sessions ?? []} onChange={openFiltered} />
        {data === undefined ? (
          <Loading hasFailed={hasFailed} />
        ) : (
          <>
            <State kept={data.kept} />
            {data.sessions.length === 0 ? (
              <NoSession isFiltered={writeFilter(filter) !== ''} kept={data.kept} account={account} />
            ) : (
              <>
                <Legend />
                <SessionsTable>
                  <Page key={query} filter={filter} list={data} version={version} />
                </SessionsTable>
              </>
            )}
          </>
        )}
      </div>
    </Panel>
  );
}

/** The filters are in the link, so that a filtered list can be shared. */
function openFiltered(filter: SessionFilter): void {
  const query = writeFilter(filter);
  openRoute({ view: 'sessions', part: query === '' ? '' : `?${query}` });
}

function pathOf(filter: SessionFilter, after: string | undefined): string {
  const query = [writeFilter(filter), after === undefined ? '' : `after=${after}`].filter(Boolean).join('&');
  return query === '' ? RECORDING_PATHS.sessions : `${RECORDING_PATHS.sessions}?${query}`;
}

/** The state of the recordings. */
function State({ kept }: { readonly kept: RecordingsState }): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  if (!kept.isOn) return null;
  return (
    <>
      {kept.fault !== null && <Problem text={texts.fault(kept.fault)} />}
      <p className={kit.note}>{texts.room(format.count(kept.sessions), format.bytes(kept.bytes))}</p>
    </>
  );
}

function NoSession({
  isFiltered,
  kept,
  account,
}: {
  readonly isFiltered: boolean;
  readonly kept: RecordingsState;
  readonly account: ConsoleAccount | undefined;
}): ReactNode {
  const texts = useSessionTexts();
  if (isFiltered) {
    return (
      <Empty>
        {texts.noMatch} <a href={hrefOf({ view: 'sessions', part: '' })}>{texts.clear}</a>
      </Empty>
    );
  }
  if (kept.isOn) return <Empty>{texts.none}</Empty>;
  return (
    <Empty>
      {texts.off} <SiteSetting setting={SETTING} place="settings" account={account} />
    </Empty>
  );
}

function SessionsTable({ children }: { readonly children: ReactNode }): ReactNode {
  const texts = useSessionTexts();
  return (
    <table className={`${tables.table} ${tables.stacked} ${styles.sessions}`}>
      <thead>
        <tr>
          <th scope="col">{texts.started}</th>
          <th scope="col">{texts.visitor}</th>
          <th scope="col">{texts.happened}</th>
          <th scope="col">{texts.line}</th>
          <th scope="col">{texts.noted}</th>
        </tr>
      </thead>
      {children}
    </table>
  );
}

/** One page of the table, and the next one below it when it is asked for. */
function Page({
  filter,
  list,
  version,
}: {
  readonly filter: SessionFilter;
  readonly list: SessionList;
  readonly version: number;
}): ReactNode {
  const texts = useSessionTexts();
  const [isMoreShown, setIsMoreShown] = useState(false);
  return (
    <>
      <tbody>
        {list.sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </tbody>
      {list.next !== undefined && !isMoreShown && (
        <LastRow columns={COLUMNS}>
          <button className={buttons.button} type="button" onClick={() => setIsMoreShown(true)}>
            {texts.more}
          </button>
        </LastRow>
      )}
      {list.next !== undefined && isMoreShown && (
        <NextPage filter={filter} after={list.next} version={version} />
      )}
    </>
  );
}

function NextPage({
  filter,
  after,
  version,
}: {
  readonly filter: SessionFilter;
  readonly after: string;
  readonly version: number;
}): ReactNode {
  const { data, hasFailed } = useView<SessionList>(pathOf(filter, after), version);
  // Each new session moves the pages. The last list stays while the next one loads, and so do the pages below it.
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  const list = data ?? last;
  if (list !== undefined) return <Page filter={filter} list={list} version={version} />;
  return (
    <LastRow columns={COLUMNS}>
      <Loading hasFailed={hasFailed} />
    </LastRow>
  );
}
