import { type ReactNode, useId } from 'react';
import { ON_CALL, type ChannelKind } from '../../../contract/incidents.ts';
import { useLocale } from '../../locale/locale.ts';
import buttons from '../../parts/buttons.module.css';
import fieldStyles from '../../parts/field.module.css';
import { LabelledInput, LabelledSelect } from '../../parts/labelled-input.tsx';
import groupStyles from '../fields/field-groups.module.css';
import { splitList } from '../fields/field-values.ts';
import { sayProblem } from '../fields/use-problems.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import styles from '../sections/sections.module.css';
import { useDesk } from '../store/desk-context.ts';
import { nameField } from './channel-form.tsx';
import { CHANNEL_FORMS, type ChannelKey, listRequired } from './channel-forms.ts';
import { appendTo, proposeSecret } from './read-alerts.ts';
import { useAlertTexts } from './texts.ts';

const NEW = 'new channel';
const NAME = /^[\w-]{1,32}$/;
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
  const deskTexts = useDeskTexts();
  const { store, snapshot } = useDesk();
  const { timeZone } = useLocale();
  const id = useId();
  const typed = snapshot.typed[NEW];
  // Only this form writes under this name.
  const text = (typed?.value as NewText | undefined) ?? { kind: 'webhook', values: {} };
  const { kind, values } = text;
  const name = text.name ?? suggestName(kind, taken);
  const { fields, secrets } = CHANNEL_FORMS[kind];
  const asked = listRequired(kind).filter((key) => !secrets.includes(key));
  const problem = findProblem();
  const isWhole = asked.every((key) => (values[key] ?? '').trim() !== '');
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <h3 className={styles.legend}>{texts.addChannel}</h3>
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
              {texts.kinds[each]}
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
              {...(help !== undefined && { hint: help })}
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
      <p className={fieldStyles.fault} id={`${id}-fault`} role="alert">
        {problem ?? sayProblem(typed, deskTexts)}
      </p>
      <p>
        <button
          className={buttons.main}
          disabled={!isWhole || problem !== undefined}
          aria-describedby={`${id}-fault`}
        >
          {texts.addChannelButton}
        </button>
      </p>
    </form>
  );

  function findProblem(): string | undefined {
    if (!NAME.test(name)) return texts.nameWrong;
    if (name === ON_CALL) return texts.nameReserved;
    return taken.includes(name) ? texts.nameTaken : undefined;
  }

  async function add(): Promise<void> {
    const given = asked.map((key) => {
      const value = (values[key] ?? '').trim();
      return [key, fields[key]?.kind === 'texts' ? splitList(value) : value] as const;
    });
    const proposed = listRequired(kind)
      .filter((key) => secrets.includes(key))
      .map((key) => [key, proposeSecret(name)] as const);
    // The person who makes a channel most likely reads its messages, so they are in that person's language.
    const zone = timeZone === 'UTC' ? {} : { timeZone };
    const channel = { name, kind, ...Object.fromEntries([...given, ...proposed]), ...zone };
    if (await store.save(NEW, [appendTo(channel, 'channels')])) onAdd(name);
  }
}

/** The kind, with a number if another channel has it. */
function suggestName(kind: ChannelKind, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? kind : `${kind}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
