import type { ReactNode } from 'react';
import { INCIDENT_TEXTS } from '../../../contract/describe-incident.ts';
import { INCIDENT_KINDS, type IncidentKind, ON_CALL, SEVERITIES } from '../../../contract/incidents.ts';
import { useLocale } from '../../locale/locale.ts';
import fieldStyles from '../../parts/field.module.css';
import { Check } from '../../parts/labelled-input.tsx';
import type { FieldSpec } from '../store/field-specs.ts';
import { ProblemList } from '../fields/problem-list.tsx';
import { useProblems } from '../fields/use-problems.ts';
import { ValueField } from '../fields/value-field.tsx';
import { Foldable } from '../parts/foldable.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { useDesk } from '../store/desk-context.ts';
import { updateValue } from '../store/changes.ts';
import { chooseName, nameOf, placeBelow, readNames } from '../store/draft-files.ts';
import own from './alerts.module.css';
import { EscalationSteps } from './escalation-steps.tsx';
import { type DraftRule, placeOf } from './read-alerts.ts';
import { Receivers } from './receivers.tsx';
import { RuleHours } from './rule-hours.tsx';
import { SENTENCE_TEXTS } from './sentence-texts.ts';
import { useAlertTexts } from './texts.ts';
import { writeSentence } from './write-sentence.ts';

const LINES: FieldSpec = { kind: 'texts', fallback: '' };
const MINUTES: FieldSpec = { kind: 'number', fallback: '' };
const RESOLVED: FieldSpec = { kind: 'switch', fallback: 'true' };

type RuleFormProps = {
  readonly rule: DraftRule;
  readonly index: number;
  readonly isOpen: boolean;
};

/** A rule as a sentence, and below it the fields in the order of the sentence. */
export function RuleForm({ rule, index, isOpen }: RuleFormProps): ReactNode {
  const texts = useAlertTexts();
  const { language } = useLocale();
  const { findFaults, findLock } = useDesk();
  const nameKind = useKindNames();
  const place = placeOf('rules', index);
  const faults = findFaults(place);
  const sentence = writeSentence(rule, SENTENCE_TEXTS[language], {
    kind: nameKind,
    channel: (name) => (name === ON_CALL ? texts.onCallInside : name),
  });
  const severities: FieldSpec = {
    kind: 'choice',
    choices: SEVERITIES,
    names: { ...INCIDENT_TEXTS[language].severities, low: texts.anySeverity },
    fallback: 'low',
  };
  return (
    <Foldable
      summary={
        <>
          <span className={own.number}>{index + 1}</span> <span>{sentence}</span>
        </>
      }
      isOpen={isOpen || faults.length > 0}
      groupName={texts.ruleOf(index + 1)}
    >
      <RuleKinds rule={rule} index={index} />
      <div className={own.pair}>
        <ValueField place={placeBelow(place, 'severity')} spec={severities} label={texts.severity} />
        <ValueField
          place={placeBelow(place, 'lines')}
          spec={LINES}
          label={texts.lines}
          help={texts.linesHelp}
        />
      </div>
      <RuleHours rule={rule} index={index} />
      <Receivers place={placeBelow(place, 'to')} label={texts.to} />
      <div className={own.short}>
        <ValueField
          place={placeBelow(place, 'remindMinutes')}
          spec={MINUTES}
          label={texts.remind}
          help={texts.remindHelp}
        />
      </div>
      <EscalationSteps rule={rule} index={index} />
      <ValueField place={placeBelow(place, 'resolved')} spec={RESOLVED} label={texts.resolved} />
      {findLock(place.path) === undefined && (
        <RemoveButton place={place} label={texts.removeRule} name={texts.removeRuleOf(index + 1)} />
      )}
    </Foldable>
  );
}

/** Which kinds of incidents a rule is about. */
function RuleKinds({ rule, index }: Omit<RuleFormProps, 'isOpen'>): ReactNode {
  const texts = useAlertTexts();
  const { store, findLock } = useDesk();
  const nameKind = useKindNames();
  const place = placeOf('rules', index, 'when');
  const problems = useProblems(nameOf(place), place);
  const chosen = readNames(rule.when);
  const isLocked = findLock(place.path) !== undefined;
  /** Without kinds, a rule is about anything. */
  const save = (choose: (present: unknown) => readonly string[]): void => {
    const change = updateValue(place, (present) => {
      const kinds = choose(present);
      return kinds.length === 0 ? undefined : kinds;
    });
    void store.save(nameOf(place), [change]);
  };
  return (
    <fieldset className={own.choices}>
      <legend className={fieldStyles.label}>{texts.when}</legend>
      <Check
        label={texts.anything}
        isChecked={chosen.length === 0}
        isDisabled={isLocked}
        onChange={(isAny) => save(() => (isAny ? [] : ['line-down']))}
      />
      {chosen.length > 0 &&
        INCIDENT_KINDS.map((kind) => (
          <Check
            key={kind}
            label={nameKind(kind)}
            isChecked={chosen.includes(kind)}
            isDisabled={isLocked}
            onChange={(isChosen) =>
              save((present) => chooseName(present, { name: kind, isChosen, offered: INCIDENT_KINDS }))
            }
          />
        ))}
      <ProblemList problems={problems} />
    </fieldset>
  );
}

/** Names kinds of incidents as messages name an incident, about anything. */
function useKindNames(): (kind: string) => string {
  const texts = useAlertTexts();
  const { language } = useLocale();
  const kinds: Readonly<Record<string, ((subject: string) => string) | undefined>> =
    INCIDENT_TEXTS[language].kinds;
  const subjects: Readonly<Partial<Record<IncidentKind, string>>> = {
    'store-down': texts.someStore,
    'portal-cut-off': texts.some,
    'channel-failing': texts.some,
  };
  return (kind) => {
    const name = kinds[kind]?.(subjects[kind as IncidentKind] ?? texts.someLine) ?? kind;
    // It stands inside of a sentence.
    return name.slice(0, 1).toLowerCase() + name.slice(1);
  };
}
