import { type ReactNode, useId } from 'react';
import { useLocale } from '../../locale/locale.ts';
import fieldStyles from '../../parts/field.module.css';
import { LabelledInput } from '../../parts/labelled-input.tsx';
import { Switch } from '../../parts/switch.tsx';
import { ProblemList } from '../fields/problem-list.tsx';
import { useProblems } from '../fields/use-problems.ts';
import { useDesk } from '../store/desk-context.ts';
import { updateValue } from '../store/changes.ts';
import { nameOf } from '../store/draft-files.ts';
import own from './alerts.module.css';
import { type DraftRule, type Hours, parseHours, placeOf, writeHours } from './read-alerts.ts';
import { useAlertTexts } from './texts.ts';

/** A night, in the zone of the person who makes the rule. */
export function proposeNight(timeZone: string): string {
  return writeHours({ from: '22:00', until: '08:00', zone: timeZone });
}

/** At which hours a rule tells. */
export function RuleHours({ rule, index }: { readonly rule: DraftRule; readonly index: number }): ReactNode {
  const texts = useAlertTexts();
  const { timeZone } = useLocale();
  const { store, findLock } = useDesk();
  const id = useId();
  const place = placeOf('rules', index, 'hours');
  const problems = useProblems(nameOf(place), place);
  const hours = parseHours(rule.hours);
  const isLocked = findLock(place.path) !== undefined;
  const save = (update: (present: unknown) => string | undefined): void =>
    void store.save(nameOf(place), [updateValue(place, update)]);
  return (
    <div className={own.hours} role="group" aria-labelledby={id}>
      <span className={fieldStyles.label} id={id}>
        {texts.hours}
      </span>
      {!isLocked && (
        <Switch
          name={texts.hours}
          choices={[
            { value: 'any', text: texts.anyHour },
            { value: 'some', text: texts.onlyHours },
          ]}
          value={rule.hours === undefined ? 'any' : 'some'}
          onChoose={(choice) =>
            save((present) => (choice === 'any' ? undefined : writtenOr(present, timeZone)))
          }
        />
      )}
      {hours !== undefined && <HoursFields hours={hours} isLocked={isLocked} onSave={save} />}
      <ProblemList problems={problems} />
    </div>
  );
}

function writtenOr(hours: unknown, timeZone: string): string {
  return typeof hours === 'string' ? hours : proposeNight(timeZone);
}

type HoursFieldsProps = {
  readonly hours: Hours;
  readonly isLocked: boolean;
  readonly onSave: (update: (present: unknown) => string) => void;
};

function HoursFields({ hours, isLocked, onSave }: HoursFieldsProps): ReactNode {
  const texts = useAlertTexts();
  const id = useId();
  const change = (part: Partial<Hours>): void =>
    onSave((present) => writeHours({ ...(parseHours(present) ?? hours), ...part }));
  const time = (key: 'from' | 'until', label: string): ReactNode => (
    <LabelledInput
      // A new value from elsewhere is shown, too.
      key={`${key} ${hours[key]}`}
      label={label}
      type="time"
      disabled={isLocked}
      defaultValue={hours[key]}
      onBlur={({ currentTarget }) => {
        if (currentTarget.value !== '' && currentTarget.value !== hours[key])
          change({ [key]: currentTarget.value });
      }}
    />
  );
  return (
    <div className={fieldStyles.row}>
      {time('from', texts.hoursFrom)}
      {time('until', texts.hoursUntil)}
      <LabelledInput
        key={hours.zone}
        label={texts.hoursZone}
        list={id}
        autoComplete="off"
        spellCheck={false}
        disabled={isLocked}
        defaultValue={hours.zone}
        onBlur={({ currentTarget }) => {
          const zone = currentTarget.value.trim();
          // A space would end the zone.
          if (zone !== '' && zone !== hours.zone) change({ zone: zone.replaceAll(/\s+/g, '_') });
        }}
      />
      <datalist id={id}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
}
