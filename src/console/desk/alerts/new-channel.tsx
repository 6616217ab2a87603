import { type ReactNode, useId } from 'react';
import { INCIDENT_TEXTS } from '../../../contract/describe-incident.ts';
import { CHANNEL_NAME, type ChannelKind, ON_CALL } from '../../../contract/incidents.ts';
import { useLocale } from '../../locale/locale.ts';
import { LabelledInput, LabelledSelect } from '../../parts/labelled-input.tsx';
import groupStyles from '../fields/field-groups.module.css';
import { splitList } from '../fields/field-values.ts';
import { useTyped } from '../fields/use-typed.ts';
import { AddForm } from '../parts/add-form.tsx';
import { useDesk } from '../store/desk-context.ts';
import { nameField } from './channel-form.tsx';
import { CHANNEL_FORMS, type ChannelKey, listRequired } from './channel-forms.ts';
import { appendTo, proposeSecret } from './read-alerts.ts';
import { type AlertTexts, useAlertTexts } from './texts.ts';

const NEW = 'new channel';
const KINDS = Object.keys(CHANNEL_FORMS) as readonly ChannelKind[];

/** What was typed. The name follows the kind until somebody changes it. */
type NewText = {
  readonly kind: ChannelKind;
  readonly name?: string;
  readonly values: Readonly<Partial<Record<ChannelKey, string>>>;
};

type NewChannelProps = {
  /** The names of the others. */
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
};

/** Asks for what a channel must have. Where its secret is gets a proposal. */
export function NewChannel({ taken, onAdd }: NewChannelProps): ReactNode {
  const texts = useAlertTexts();
  const { store } = useDesk();
  const { timeZone, language } = useLocale();
  const { value: text, problem } = useTyped<NewText>(NEW, { kind: 'webhook', values: {} });
  const { kind, values } = text;
  const name = text.name ?? suggestName(kind, taken);
  const { fields, secrets } = CHANNEL_FORMS[kind];
  const asked = listRequired(kind).filter((key) => !secrets.includes(key));
  const refusal = refuseName(name, taken, texts);
  const isWhole = asked.every((key) => (values[key] ?? '').trim() !== '');
  return (
    <AddForm
      title={texts.addChannel}
      problemId={useId()}
      problem={refusal ?? problem}
      action={texts.addChannelButton}
      isBlocked={!isWhole || refusal !== undefined}
      onAdd={() => void add()}
    >
      <div className={groupStyles.fields}>
        <LabelledSelect
          label={texts.kind}
          value={kind}
          onChange={({ currentTarget }) =>
            // The options are the kinds.
            store.type(NEW, { ...text, kind: currentTarget.value as ChannelKind, values: {} })
          }
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {INCIDENT_TEXTS[language].channels[each]}
            </option>
          ))}
        </LabelledSelect>
        <LabelledInput
          label={texts.name}
          hint={texts.nameHint}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={({ currentTarget }) => store.type(NEW, { ...text, name: currentTarget.value })}
        />
        {asked.map((key) => {
          const { label, help, hint } = nameField(texts, kind, key);
          return (
            <LabelledInput
              key={key}
              label={label}
              hint={help}
              placeholder={hint}
              autoComplete="off"
              spellCheck={false}
              value={values[key] ?? ''}
              onChange={({ currentTarget }) =>
                store.type(NEW, { ...text, values: { ...values, [key]: currentTarget.value } })
              }
            />
          );
        })}
      </div>
    </AddForm>
  );

  async function add(): Promise<void> {
    // The second click of a double click.
    if (store.isSaving(NEW)) return;
    const given = asked.map((key) => {
      const value = (values[key] ?? '').trim();
      return [key, fields[key]?.kind === 'texts' ? splitList(value) : value] as const;
    });
    const proposed = listRequired(kind)
      .filter((key) => secrets.includes(key))
      .map((key) => [key, proposeSecret(name)] as const);
    // The person who makes a channel most likely reads its messages, so their times are in that person's zone.
    const zone = timeZone === 'UTC' ? {} : { timeZone };
    const channel = { name, kind, ...Object.fromEntries([...given, ...proposed]), ...zone };
    if (await store.save(NEW, [appendTo(channel, 'channels')])) onAdd(name);
  }
}

/** Why a channel cannot have this name. Undefined if it can. */
function refuseName(name: string, taken: readonly string[], texts: AlertTexts): string | undefined {
  if (!CHANNEL_NAME.test(name)) return texts.nameWrong;
  if (name === ON_CALL) return texts.nameReserved;
  return taken.includes(name) ? texts.nameTaken : undefined;
}

/** The kind, with a number if another channel has it. */
function suggestName(kind: ChannelKind, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? kind : `${kind}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
