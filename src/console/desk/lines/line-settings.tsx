import type { ReactNode } from 'react';
import { formatHost } from '../../format/format-names.ts';
import { useLocale } from '../../locale/locale.ts';
import fieldStyles from '../../parts/field.module.css';
import { Check, LabelledInput } from '../../parts/labelled-input.tsx';
import kit from '../../parts/view.module.css';
import { useTyped } from '../fields/use-typed.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import buttons from '../../parts/buttons.module.css';
import { SITE_FILE } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { type LineEntry, editLine, nameForm } from './line-entries.ts';
import { type RulesText, type SettingsText, readSettings, writeSettings } from './line-rules.ts';
import styles from './lines-section.module.css';

type LineSettingsProps = { readonly line: LineEntry; readonly onRemove: (button: Element) => void };

/** The settings of a line: its weight, and under "more" who may have it, and when. */
export function LineSettings({ line, onRemove }: LineSettingsProps): ReactNode {
  const texts = useDeskTexts();
  const { timeZone } = useLocale();
  const { store } = useDesk();
  const name = nameForm('settings', line.host);
  // A setting that was not changed is not in it: it may be changed elsewhere meanwhile.
  const { value: changed, isTyped, problem } = useTyped<Partial<SettingsText>>(name, {});
  const shown = { ...readSettings(line, timeZone), ...changed };
  const change = (part: Partial<SettingsText>): void => store.type(name, { ...changed, ...part });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className={fieldStyles.row}>
        <LabelledInput
          label={texts.weight}
          hint={texts.weightHelp}
          inputMode="decimal"
          value={shown.weight}
          aria-invalid={problem !== undefined || undefined}
          onChange={({ currentTarget }) => change({ weight: currentTarget.value })}
        />
      </div>
      <Check label={texts.noWWW} isChecked={shown.noWWW} onChange={(noWWW) => change({ noWWW })} />
      <details className={kit.details} open={hasRules(line) || undefined}>
        <summary>{texts.moreRules}</summary>
        <div className={styles.rules}>
          <Rules shown={shown} change={change} />
        </div>
      </details>
      {problem !== undefined && (
        <p className={fieldStyles.fault} role="alert">
          {problem}
        </p>
      )}
      <div className={buttons.row}>
        <button className={buttons.main} disabled={!isTyped}>
          {texts.save}
        </button>
        <button
          className={buttons.danger}
          type="button"
          aria-label={texts.removeLine(formatHost(line.host))}
          onClick={({ currentTarget }) => onRemove(currentTarget)}
        >
          {texts.remove}
        </button>
      </div>
    </form>
  );

  function save(): void {
    if (shown.weight.trim() === '' || !Number.isFinite(Number(shown.weight)))
      return store.type(name, changed, 'noNumber');
    const write = (now: LineEntry): LineEntry | undefined => writeSettings(now, changed, timeZone);
    if (write(line) === undefined) return store.type(name, changed, 'noMoment');
    if (shown.isMaintained && shown.reason.trim() === '') return store.type(name, changed, 'noReason');
    void store.save(name, [
      {
        kind: 'edit',
        file: SITE_FILE,
        makeEdits: (json) => editLine(json, line.host, (now) => write(now) ?? now),
      },
    ]);
  }
}

type RulesProps = {
  readonly shown: SettingsText;
  readonly change: (part: Partial<RulesText>) => void;
};

function Rules({ shown, change }: RulesProps): ReactNode {
  const texts = useDeskTexts();
  const { zoneName } = useLocale();
  return (
    <>
      <Check label={texts.drain} isChecked={shown.drain} onChange={(drain) => change({ drain })} />
      {(['countriesOnly', 'countriesNot', 'networksOnly', 'networksNot'] as const).map((key) => (
        <LabelledInput
          key={key}
          label={texts.rules[key]}
          autoComplete="off"
          spellCheck={false}
          value={shown[key]}
          onChange={({ currentTarget }) => change({ [key]: currentTarget.value })}
        />
      ))}
      <p className={fieldStyles.help}>{texts.rulesHelp}</p>
      <Check
        label={texts.maintenance}
        isChecked={shown.isMaintained}
        onChange={(isMaintained) => change({ isMaintained })}
      />
      {shown.isMaintained && (
        <>
          <LabelledInput
            label={texts.maintenanceReason}
            value={shown.reason}
            onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
          />
          <LabelledInput
            label={texts.fromIn(zoneName)}
            type="datetime-local"
            value={shown.from}
            onChange={({ currentTarget }) => change({ from: currentTarget.value })}
          />
          <LabelledInput
            label={texts.untilIn(zoneName)}
            type="datetime-local"
            value={shown.until}
            onChange={({ currentTarget }) => change({ until: currentTarget.value })}
          />
        </>
      )}
    </>
  );
}

function hasRules({ drain, countries, networks, maintenance }: LineEntry): boolean {
  return [drain, countries, networks, maintenance].some((rule) => rule !== undefined);
}
