import type { ReactNode } from 'react';
import { INCIDENT_TEXTS } from '../../../contract/describe-incident.ts';
import type { ChannelKind } from '../../../contract/incidents.ts';
import { useLocale } from '../../locale/locale.ts';
import kit from '../../parts/view.module.css';
import buttons from '../../parts/buttons.module.css';
import { findNeighbour, focusOn } from '../../parts/find-neighbour.ts';
import groupStyles from '../fields/field-groups.module.css';
import { ValueField } from '../fields/value-field.tsx';
import { FaultList } from '../parts/fault-list.tsx';
import { Foldable } from '../parts/foldable.tsx';
import { useDesk } from '../store/desk-context.ts';
import own from './alerts.module.css';
import { CHANNEL_FORMS, type ChannelKey, listRequired } from './channel-forms.ts';
import { type DraftChannel, placeOf, removeChannel } from './read-alerts.ts';
import { SecretField } from './secret-field.tsx';
import { TestButton } from './test-button.tsx';
import { type AlertTexts, useAlertTexts } from './texts.ts';

/** All of one channel. */
export function ChannelForm({
  channel,
  isOpen,
}: {
  readonly channel: DraftChannel;
  readonly isOpen: boolean;
}): ReactNode {
  const texts = useAlertTexts();
  const { language } = useLocale();
  const { store, findFaults, findLock } = useDesk();
  const { name, kind, index } = channel;
  const place = placeOf('channels', index);
  const faults = findFaults(place);
  const isLocked = findLock(place.path) !== undefined;
  const remove = async (button: Element): Promise<void> => {
    const next = findNeighbour(button.closest('details'));
    if (await store.remove(place, removeChannel(name))) focusOn(next);
  };
  return (
    <Foldable
      summary={
        <>
          <span className={kit.name}>{name}</span>
          <span className={kit.note}>
            {kind === undefined ? texts.unknownKind : INCIDENT_TEXTS[language].channels[kind]}
          </span>
        </>
      }
      isOpen={isOpen || faults.length > 0}
    >
      {kind === undefined ? <FaultList faults={faults} /> : <ChannelFields channel={channel} kind={kind} />}
      {!isLocked && (
        <div className={own.actions}>
          <TestButton channel={name} />
          <p>
            <button
              className={buttons.danger}
              type="button"
              aria-label={texts.removeChannelOf(name)}
              onClick={({ currentTarget }) => void remove(currentTarget)}
            >
              {texts.removeChannel}
            </button>
          </p>
        </div>
      )}
    </Foldable>
  );
}

/** The fields that must be there first. Most channels need no others. */
function ChannelFields({
  channel: { name, index },
  kind,
}: {
  readonly channel: DraftChannel;
  readonly kind: ChannelKind;
}): ReactNode {
  const texts = useAlertTexts();
  const { fields, guide } = CHANNEL_FORMS[kind];
  const required = listRequired(kind);
  const others = (Object.keys(fields) as ChannelKey[]).filter((key) => !required.includes(key));
  const show = (key: ChannelKey): ReactNode => (
    <ChannelField key={key} kind={kind} fieldKey={key} index={index} name={name} />
  );
  return (
    <>
      <div className={groupStyles.fields}>{required.map(show)}</div>
      {guide !== undefined && (
        <p>
          <a href={guide} target="_blank" rel="noopener noreferrer">
            {texts.guide}
          </a>
        </p>
      )}
      <details className={kit.details}>
        <summary>{texts.more}</summary>
        <div className={groupStyles.fields}>{others.map(show)}</div>
      </details>
    </>
  );
}

type ChannelFieldProps = {
  readonly kind: ChannelKind;
  readonly fieldKey: ChannelKey;
  readonly index: number;
  readonly name: string;
};

function ChannelField({ kind, fieldKey, index, name }: ChannelFieldProps): ReactNode {
  const texts = useAlertTexts();
  const { fields, secrets } = CHANNEL_FORMS[kind];
  const spec = fields[fieldKey] ?? { kind: 'text' };
  const { label, help, hint } = nameField(texts, kind, fieldKey);
  const place = placeOf('channels', index, fieldKey);
  if (secrets.includes(fieldKey))
    return <SecretField place={place} spec={spec} label={label} help={help} channel={name} />;
  return (
    <ValueField
      place={place}
      spec={hint === undefined ? spec : { ...spec, placeholder: hint }}
      label={label}
      help={help}
    />
  );
}

/** What a key is called, which may depend on the kind. */
export function nameField(
  texts: AlertTexts,
  kind: ChannelKind,
  key: ChannelKey,
): AlertTexts['fields'][ChannelKey] {
  return { ...texts.fields[key], ...texts.fieldsOf[kind]?.[key] };
}
