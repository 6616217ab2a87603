import { type ReactNode, useState } from 'react';
import { useLocale } from '../../locale/locale.ts';
import buttons from '../../parts/buttons.module.css';
import { Empty, Panel } from '../../parts/panel.tsx';
import kit from '../../parts/view.module.css';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { FoldableList } from '../parts/foldable.tsx';
import { useDesk } from '../store/desk-context.ts';
import own from './alerts.module.css';
import { ChannelForm } from './channel-form.tsx';
import { NewChannel } from './new-channel.tsx';
import { OnCallPanel } from './on-call-panel.tsx';
import { appendTo, placeOf, readChannels, readRules } from './read-alerts.ts';
import { proposeNight } from './rule-hours.tsx';
import { RuleForm } from './rule-form.tsx';
import { useAlertTexts } from './texts.ts';

/** Who is told of what: by which channels, by which rules, and who is on call. */
export function AlertsSection(): ReactNode {
  const texts = useAlertTexts();
  const deskTexts = useDeskTexts();
  const { snapshot, findLock } = useDesk();
  const [added, setAdded] = useState('');
  const channels = readChannels(snapshot.json);
  const lock = findLock(placeOf().path);
  return (
    <div className={kit.view}>
      <Panel title={texts.channelsTitle} note={texts.channelsNote} id="desk-channels">
        {lock === 'owner' && <p className={kit.note}>{deskTexts.ownerNote}</p>}
        {channels.length === 0 && <Empty>{texts.noChannels}</Empty>}
        <FoldableList>
          {channels.map((channel) => (
            <ChannelForm key={channel.name} channel={channel} isOpen={channel.name === added} />
          ))}
        </FoldableList>
        {lock === undefined && (
          <div className={own.new}>
            <NewChannel taken={channels.map(({ name }) => name)} onAdd={setAdded} />
          </div>
        )}
      </Panel>
      <RulesPanel />
      <OnCallPanel />
    </div>
  );
}

const REMIND_MINUTES = 30;
const ESCALATE_MINUTES = 10;

function RulesPanel(): ReactNode {
  const texts = useAlertTexts();
  const { timeZone } = useLocale();
  const { store, snapshot, findLock } = useDesk();
  const [added, setAdded] = useState(-1);
  const rules = readRules(snapshot.json);
  const channels = readChannels(snapshot.json).map(({ name }) => name);
  const [first, second = first] = channels;
  const isLocked = findLock(placeOf('rules').path) !== undefined;
  const add = (rule: object): void => {
    void store.save('new rule', [appendTo(rule, 'rules')]);
    setAdded(rules.length);
  };
  return (
    <Panel title={texts.rulesTitle} note={texts.rulesNote} id="desk-rules">
      {rules.length === 0 && (
        <p className={channels.length === 0 ? kit.note : kit.notice}>
          {channels.length === 0 ? texts.rulesNeedChannel : texts.noRules}
        </p>
      )}
      <FoldableList>
        {rules.map((rule, index) => (
          // A rule has no other name than its number.
          // oxlint-disable-next-line react/no-array-index-key
          <RuleForm key={index} rule={rule} index={index} isOpen={index === added} />
        ))}
      </FoldableList>
      {!isLocked && first !== undefined && (
        <div className={buttons.row}>
          <button className={buttons.button} type="button" onClick={() => add({ to: [first] })}>
            {texts.addRule}
          </button>
          <button
            className={buttons.button}
            type="button"
            onClick={() =>
              add({
                severity: 'high',
                hours: proposeNight(timeZone),
                to: [first],
                remindMinutes: REMIND_MINUTES,
                escalate: [{ afterMinutes: ESCALATE_MINUTES, to: [second] }],
              })
            }
          >
            {texts.addNightRule}
          </button>
        </div>
      )}
    </Panel>
  );
}
