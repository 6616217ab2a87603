import type { ReactNode } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import type { ErrorGroup } from '../../contract/recordings.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import styles from './sessions.module.css';
import { useSessionTexts } from './texts.ts';

/** The errors of the pages: how often, since when, in which browsers, and a session to watch. */
export function PageErrorsView({ version }: { readonly version: number }): ReactNode {
  const texts = useSessionTexts();
  const { data, hasFailed } = useView<readonly ErrorGroup[]>(RECORDING_PATHS.errors, version);
  return (
    <Panel title={texts.errors} note={texts.errorsNote} id="errors">
      {data === undefined && <Loading hasFailed={hasFailed} />}
      {data?.length === 0 && <Empty>{texts.noErrors}</Empty>}
      <ul>
        {data?.map((group) => (
          <ErrorItem key={`${group.message}\n${group.place}`} group={group} />
        ))}
      </ul>
    </Panel>
  );
}

function ErrorItem({ group }: { readonly group: ErrorGroup }): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  const now = Date.now();
  const { message, place, times, sessions, firstAt, lastAt, browsers, session } = group;
  const [first, last] = [format.clock(firstAt, now), format.clock(lastAt, now)];
  return (
    <li className={styles.error}>
      <h3 className={kit.name}>{message}</h3>
      {place !== '' && <code className={styles.code}>{place}</code>}
      <p>
        {texts.times(format.count(times), format.count(sessions))}
        {' · '}
        {first === last ? texts.at(first) : texts.between(first, last)}
      </p>
      {browsers.length > 0 && <p className={kit.note}>{browsers.join(', ')}</p>}
      <a href={hrefOf({ view: 'sessions', part: session })}>{texts.watch}</a>
    </li>
  );
}
