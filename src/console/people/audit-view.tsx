import { type ReactNode, useId, useState } from 'react';
import type { AuditEntry, ConsoleAudit, ConsolePeople } from '../../contract/people.ts';
import type { Role } from '../../contract/roles.ts';
import { PEOPLE_PATHS } from '../../contract/paths.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import styles from './people.module.css';
import { type PeopleTexts, usePeopleTexts } from './texts.ts';

/** Who did what in the console. */
export function AuditView(): ReactNode {
  const texts = usePeopleTexts();
  const id = useId();
  const [person, setPerson] = useState('');
  const { data: people } = useView<ConsolePeople>(PEOPLE_PATHS.people, 1);
  return (
    <Panel title={texts.audit} note={texts.auditNote} id="audit">
      <div className={styles.row}>
        <div className={styles.field}>
          <label htmlFor={id}>{texts.person}</label>
          <select id={id} value={person} onChange={({ currentTarget }) => setPerson(currentTarget.value)}>
            <option value="">{texts.everybody}</option>
            {people?.people.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <a href={PEOPLE_PATHS.auditLines} download="audit.jsonl">
          {texts.download}
        </a>
      </div>
      <Page key={person} person={person} before={undefined} />
    </Panel>
  );
}

/** One page of the log, and the next one below it when it is asked for. */
function Page({
  person,
  before,
}: {
  readonly person: string;
  readonly before: number | undefined;
}): ReactNode {
  const { texts: consoleTexts } = useLocale();
  const texts = usePeopleTexts();
  const [isMoreShown, setIsMoreShown] = useState(false);
  const query = new URLSearchParams({
    ...(person === '' ? {} : { person }),
    ...(before === undefined ? {} : { before: String(before) }),
  });
  const { data, hasFailed } = useView<ConsoleAudit>(`${PEOPLE_PATHS.audit}?${query}`, 1);
  if (data === undefined) return <Empty>{hasFailed ? consoleTexts.viewFailed : consoleTexts.loading}</Empty>;
  const { entries, hasMore, at } = data;
  if (entries.length === 0) return <Empty>{texts.nothingDone}</Empty>;
  return (
    <>
      <ul className={styles.list}>
        {entries.map((entry) => (
          <li key={entry.at} className={styles.entry}>
            <Clock time={entry.at} now={at} />
            <p>
              <span className={kit.name}>{entry.by}</span> {describeDeed(entry, texts)}
            </p>
            <span className={kit.note}>{entry.prefix}</span>
          </li>
        ))}
      </ul>
      {hasMore && !isMoreShown && (
        <div className={styles.buttons}>
          <button type="button" onClick={() => setIsMoreShown(true)}>
            {texts.more}
          </button>
        </div>
      )}
      {isMoreShown && <Page person={person} before={entries.at(-1)?.at} />}
    </>
  );
}

/** Puts an entry into words. A role in it is named as everywhere else. */
export function describeDeed(
  { action, to = '', detail = '' }: AuditEntry,
  { did, roles }: PeopleTexts,
): string {
  return did[action](to, roles[detail as Role] ?? detail);
}
