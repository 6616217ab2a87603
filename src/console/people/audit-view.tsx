import { type ReactNode, useState } from 'react';
import type { AuditEntry, ConsoleAudit, ConsolePeople } from '../../contract/people.ts';
import type { Role } from '../../contract/roles.ts';
import { PEOPLE_PATHS } from '../../contract/paths.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import { LabelledSelect } from '../parts/labelled-input.tsx';
import { LastRow } from '../parts/last-row.tsx';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import tables from '../parts/table.module.css';
import kit from '../parts/view.module.css';
import styles from './people.module.css';
import { type PeopleTexts, usePeopleTexts } from './texts.ts';

const COLUMNS = 4;

/** Who did what in the console. */
export function AuditView(): ReactNode {
  const texts = usePeopleTexts();
  const [person, setPerson] = useState('');
  const { data: people } = useView<ConsolePeople>(PEOPLE_PATHS.people, 1);
  return (
    <Panel title={texts.audit} note={texts.auditNote} id="audit">
      <div className={kit.stack}>
        <div className={styles.filter}>
          <LabelledSelect
            label={texts.person}
            value={person}
            onChange={({ currentTarget }) => setPerson(currentTarget.value)}
          >
            <option value="">{texts.everybody}</option>
            {people?.people.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </LabelledSelect>
          <a className={buttons.link} href={PEOPLE_PATHS.auditLines} download="audit.jsonl">
            {texts.download}
          </a>
        </div>
        <table className={`${tables.table} ${tables.stacked} ${styles.audit}`}>
          <thead>
            <tr>
              <th scope="col" data-time>
                {texts.time}
              </th>
              <th scope="col">{texts.who}</th>
              <th scope="col">{texts.what}</th>
              <th scope="col">{texts.range}</th>
            </tr>
          </thead>
          <Page key={person} person={person} before={undefined} />
        </table>
      </div>
    </Panel>
  );
}

/** One page of the log, and the next one below it when it is asked for. */
function Page({
  person,
  before,
}: {
  readonly person: string;
  readonly before: string | undefined;
}): ReactNode {
  const texts = usePeopleTexts();
  const { texts: consoleTexts } = useLocale();
  const [isMoreShown, setIsMoreShown] = useState(false);
  const query = new URLSearchParams({
    ...(person === '' ? {} : { person }),
    ...(before === undefined ? {} : { before }),
  });
  const { data, hasFailed } = useView<ConsoleAudit>(`${PEOPLE_PATHS.audit}?${query}`, 1);
  if (data === undefined || data.entries.length === 0) {
    return (
      <LastRow columns={COLUMNS}>
        {data === undefined ? <Loading hasFailed={hasFailed} /> : <Empty>{texts.nothingDone}</Empty>}
      </LastRow>
    );
  }
  const { entries, next, at } = data;
  return (
    <>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td data-time>
              <Clock time={entry.at} now={at} />
            </td>
            <th scope="row">{consoleTexts.actor(entry.by)}</th>
            <td className={styles.deed}>{describeDeed(entry, texts)}</td>
            <td className={kit.note}>{entry.prefix}</td>
          </tr>
        ))}
      </tbody>
      {next !== null && !isMoreShown && (
        <LastRow columns={COLUMNS}>
          <button className={buttons.button} type="button" onClick={() => setIsMoreShown(true)}>
            {texts.more}
          </button>
        </LastRow>
      )}
      {isMoreShown && next !== null && <Page person={person} before={next} />}
    </>
  );
}

/** Puts an entry into words. A role in it is named as everywhere else. */
export function describeDeed(
  { action, to = '', detail = '', isUncertain = false }: Omit<AuditEntry, 'id'>,
  { did, roles, uncertain }: PeopleTexts,
): string {
  const deed = did[action](to, roles[detail as Role] ?? detail);
  return isUncertain ? uncertain(deed) : deed;
}
