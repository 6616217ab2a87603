import { type ReactNode, useState } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import type { RecordingsState, SessionFilter, SessionList } from '../../contract/recordings.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { hrefOf } from '../route.ts';
import { FilterBar } from './filter-bar.tsx';
import { readFilter, writeFilter } from './filter-query.ts';
import { formatBytes } from './happenings.ts';
import { SessionItem } from './session-item.tsx';
import styles from './sessions.module.css';
import { Legend } from './strip.tsx';
import { useSessionTexts } from './texts.ts';

const SETTING = '"monitoring": { "intakeUrl": "self" }';

/** The sessions that match the filters of the link, newest first. */
export function SessionsView({
  query,
  version,
}: {
  readonly query: string;
  readonly version: number;
}): ReactNode {
  const texts = useSessionTexts();
  const { texts: consoleTexts } = useLocale();
  const filter = readFilter(query);
  // Also tells where the recordings are, and what there is to pick from.
  const { data, hasFailed } = useView<SessionList>(pathOf(filter, undefined), version);
  return (
    <Panel title={texts.sessions} note={texts.sessionsNote} id="sessions">
      <FilterBar filter={filter} seen={data?.sessions ?? []} onChange={openFiltered} />
      {data === undefined ? (
        <Empty>{hasFailed ? consoleTexts.viewFailed : consoleTexts.loading}</Empty>
      ) : (
        <>
          <State kept={data.kept} />
          {data.sessions.length === 0 ? (
            <NoSession isFiltered={writeFilter(filter) !== ''} kept={data.kept} />
          ) : (
            <>
              <Legend />
              <Page key={query} filter={filter} list={data} version={version} />
            </>
          )}
        </>
      )}
    </Panel>
  );
}

/** The filters are in the link, so that a filtered list can be shared. */
function openFiltered(filter: SessionFilter): void {
  const query = writeFilter(filter);
  location.hash = hrefOf({ view: 'sessions', part: query === '' ? '' : `?${query}` });
}

function pathOf(filter: SessionFilter, before: number | undefined): string {
  const query = [writeFilter(filter), before === undefined ? '' : `before=${before}`]
    .filter(Boolean)
    .join('&');
  return query === '' ? RECORDING_PATHS.sessions : `${RECORDING_PATHS.sessions}?${query}`;
}

/** Where the recordings are, and how it is with them. */
function State({ kept }: { readonly kept: RecordingsState }): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  if (!kept.isOn) return null;
  return (
    <>
      {!kept.isThis && (
        <p className={styles.notice} role="status">
          {kept.keeper === null ? texts.keptNowhere : texts.keptElsewhere(kept.keeper)}
        </p>
      )}
      {kept.fault !== null && (
        <p className={styles.problem} role="alert">
          {texts.fault(kept.fault)}
        </p>
      )}
      {kept.isThis && (
        <p className={styles.note}>{texts.room(format.count(kept.sessions), formatBytes(kept.bytes))}</p>
      )}
    </>
  );
}

function NoSession({
  isFiltered,
  kept,
}: {
  readonly isFiltered: boolean;
  readonly kept: RecordingsState;
}): ReactNode {
  const texts = useSessionTexts();
  if (isFiltered) {
    return (
      <Empty>
        {texts.noMatch} <a href={hrefOf({ view: 'sessions', part: '' })}>{texts.clear}</a>
      </Empty>
    );
  }
  // Another portal may have many: the notice above says which.
  if (kept.isOn) return kept.isThis ? <Empty>{texts.none}</Empty> : null;
  return (
    <Empty>
      {texts.off} {texts.howToTurnOn(SETTING)}
    </Empty>
  );
}

/** One page of the list, and the next one below it when it is asked for. */
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
      <ul className={styles.list}>
        {list.sessions.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
      {list.next !== undefined && !isMoreShown && (
        <button className={styles.button} type="button" onClick={() => setIsMoreShown(true)}>
          {texts.more}
        </button>
      )}
      {list.next !== undefined && isMoreShown && (
        <NextPage filter={filter} before={list.next} version={version} />
      )}
    </>
  );
}

function NextPage({
  filter,
  before,
  version,
}: {
  readonly filter: SessionFilter;
  readonly before: number;
  readonly version: number;
}): ReactNode {
  const { texts } = useLocale();
  const { data, hasFailed } = useView<SessionList>(pathOf(filter, before), version);
  if (data === undefined) return <Empty>{hasFailed ? texts.viewFailed : texts.loading}</Empty>;
  return <Page filter={filter} list={data} version={version} />;
}
