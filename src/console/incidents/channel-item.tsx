import type { ReactNode } from 'react';
import { describeDetail } from '../../contract/describe-detail.ts';
import { INCIDENT_TEXTS } from '../../contract/describe-incident.ts';
import type { ConsoleChannel } from '../../contract/incidents.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { useLocale } from '../locale/locale.ts';
import kit from '../parts/view.module.css';
import { ActionButton } from './action-button.tsx';
import { useIncidentTexts } from './texts.ts';

/** A channel, when it last took a message, and a test. */
export function ChannelItem({
  channel,
  now,
  mayTest,
}: {
  readonly channel: ConsoleChannel;
  readonly now: number;
  readonly mayTest: boolean;
}): ReactNode {
  const texts = useIncidentTexts();
  const { format, language } = useLocale();
  const { name, kind, waiting, sentAt, fault } = channel;
  return (
    <li className={kit.item}>
      <div>
        <p>
          <span className={kit.name}>{name}</span> {INCIDENT_TEXTS[language].channels[kind]}
        </p>
        <p className={fault === null ? kit.note : kit.problem}>
          {fault === null
            ? sentAt === null
              ? texts.neverSent
              : texts.sent(format.clock(sentAt, now))
            : texts.failing(describeDetail(fault, language))}
          {waiting > 0 && ` · ${texts.waiting(format.count(waiting))}`}
        </p>
      </div>
      {mayTest && (
        <ActionButton
          text={texts.test}
          path={CONSOLE_PATHS.testChannel}
          body={{ channel: name }}
          done={texts.testSent}
        />
      )}
    </li>
  );
}
