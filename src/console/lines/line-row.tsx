import { type ReactNode, memo } from 'react';
import type { ConsoleLine } from '../../contract/console.ts';
import { formatHost } from '../format/format-names.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import badge from '../parts/badge.module.css';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import { HostName } from '../parts/host-name.tsx';
import { MaintenanceNote, StatusMark } from '../parts/status-mark.tsx';
import { hrefOf } from '../route.ts';
import styles from './lines-table.module.css';
import { StateStrip } from './state-strip.tsx';

type LineRowProps = {
  readonly line: ConsoleLine;
  /** The time, to the minute. */
  readonly minute: number;
  readonly mayEdit: boolean;
};

/** One row of the table. */
export const LineRow = memo(function LineRow({ line, minute, mayEdit }: LineRowProps): ReactNode {
  const { texts, format } = useLocale();
  const { id, host, role, status, judgedBy, isDoubted, since, maintenance, rules, failingNetworks } = line;
  const clock = since === null ? NO_DATA : <Clock time={since} now={minute} />;
  return (
    <tr data-line={formatHost(host)} data-status={status}>
      <td title={isDoubted ? texts.doubted : judgedBy === null ? undefined : texts.judgedBy[judgedBy]}>
        <StatusMark status={status} />
        {/* For narrow screens, which have no column for it, where it matters. */}
        {since !== null && status !== 'up' && <span className={styles.narrow}>{clock}</span>}
      </td>
      <th className={styles.host} scope="row">
        <div className={buttons.row}>
          <span className={styles.name}>
            <a href={hrefOf({ view: 'line', id })}>
              <HostName host={host} />
            </a>
            {role === 'backup' && <span className={badge.badge}>{texts.backup}</span>}
            {rules.map((rule) => (
              <span key={rule} className={badge.badge}>
                {texts.rules[rule]}
              </span>
            ))}
          </span>
          {mayEdit && role === 'line' && status === 'down' && <ReplaceLink line={line} />}
        </div>
        {maintenance && (
          <div className={styles.maintenance}>
            <MaintenanceNote maintenance={maintenance} now={minute} />
          </div>
        )}
      </th>
      <td data-picture>
        <StateStrip line={line} now={minute} />
      </td>
      <td data-wide data-tablet>
        {clock}
      </td>
      <td data-number data-wide>
        {format.count(line.handedOut)}
      </td>
      <td data-number data-wide data-tablet>
        {format.count(line.tried)}
      </td>
      <td data-number>{format.part(line.reached, line.tried)}</td>
      <td data-number data-p50>
        {format.ms(line.p50)}
      </td>
      <td data-number data-wide data-tablet>
        {format.ms(line.p95)}
      </td>
      <td data-number data-wide data-failing={failingNetworks ? true : undefined}>
        {failingNetworks
          ? texts.networksCount(failingNetworks, format.count(failingNetworks))
          : format.count(failingNetworks)}
      </td>
    </tr>
  );
});

/** The shortest way from a line that is down to one that is not: its field in the desk, open. */
export function ReplaceLink({ line }: { readonly line: ConsoleLine }): ReactNode {
  const { texts } = useLocale();
  return (
    <a
      className={buttons.mainLink}
      href={hrefOf({ view: 'desk', part: `lines/${line.host}` })}
      aria-label={texts.replaceLine(formatHost(line.host))}
    >
      {texts.replace}
    </a>
  );
}
