import type { ReactNode } from 'react';
import { PLATFORMS, type Platform } from '../../../contract/site/campaign-ends.ts';
import { formatCountry } from '../../format/format-names.ts';
import { useLocale } from '../../locale/locale.ts';
import buttons from '../../parts/buttons.module.css';
import { Check } from '../../parts/labelled-input.tsx';
import groupStyles from '../fields/field-groups.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import { ValueField } from '../fields/value-field.tsx';
import { ProblemList } from '../fields/problem-list.tsx';
import { useProblems } from '../fields/use-problems.ts';
import fieldStyles from '../../parts/field.module.css';
import { RemoveButton } from '../parts/remove-button.tsx';
import groups from '../parts/groups.module.css';
import { useDesk } from '../store/desk-context.ts';
import { updateValue } from '../store/changes.ts';
import { chooseName, nameOf, placeBelow, readNames } from '../store/draft-files.ts';
import own from './campaigns.module.css';
import { type DraftCampaign, type DraftRule, placeOf, readRules, readText } from './read-campaigns.ts';
import { useCampaignFormTexts } from './texts.ts';

const COUNTRIES: FieldSpec = { kind: 'texts', fallback: '' };
const PATH: FieldSpec = { kind: 'text', fallback: '' };

type CampaignRulesProps = {
  readonly code: string;
  readonly campaign: DraftCampaign;
  /** Every end that a link can have, with its name. */
  readonly ends: Readonly<Record<string, string>>;
};

/** The rules of a campaign, each as a sentence with its fields below. */
export function CampaignRules({ code, campaign, ends }: CampaignRulesProps): ReactNode {
  const texts = useCampaignFormTexts();
  const { store, isViewer } = useDesk();
  const rules = readRules(campaign);
  const place = placeOf(code, 'by');
  const save = (update: (present: readonly DraftRule[]) => readonly DraftRule[]): void =>
    void store.save(`rules ${nameOf(place)}`, [updateValue(place, (by) => update(readRules({ by })))]);
  return (
    <fieldset className={groups.group}>
      <legend className={groups.legend}>{texts.rules}</legend>
      {rules.map((rule, index) => (
        <Rule
          // A rule has no other name than its number.
          key={index}
          code={code}
          index={index}
          rule={rule}
          to={readText(campaign.to, 'line')}
          ends={ends}
          onChange={(change) =>
            void store.save(`rules ${nameOf(place)}`, [
              updateValue(placeBelow(place, index), (present) => change(Object(present) as DraftRule)),
            ])
          }
          onMoveUp={() => save((present) => moveUp(present, rule))}
        />
      ))}
      {!isViewer && (
        <p>
          <button
            className={buttons.button}
            type="button"
            onClick={() => save((present) => [...present, { device: [findFreeDevice(present)] }])}
          >
            {texts.addRule}
          </button>
        </p>
      )}
    </fieldset>
  );
}

type RuleProps = Pick<CampaignRulesProps, 'code' | 'ends'> & {
  readonly index: number;
  readonly rule: DraftRule;
  /** Where the campaign itself ends. */
  readonly to: string;
  readonly onChange: (change: (present: DraftRule) => DraftRule) => void;
  readonly onMoveUp: () => void;
};

function Rule({ code, index, rule, to, ends, onChange, onMoveUp }: RuleProps): ReactNode {
  const texts = useCampaignFormTexts();
  const { isViewer } = useDesk();
  const place = placeOf(code, 'by', index);
  const problems = useProblems(nameOf(place), place);
  const devices = readNames(rule.device);
  const end = readText(rule.to, to);
  return (
    <fieldset className={`${groups.group} ${own.rule}`}>
      <legend className={own.sentence}>{useSentence(index + 1, rule, ends[end] ?? end)}</legend>
      <div className={own.devices}>
        {PLATFORMS.map((platform) => (
          <Check
            key={platform}
            label={texts.devices[platform]}
            isChecked={devices.includes(platform)}
            isDisabled={isViewer}
            onChange={(isChecked) => onChange((present) => chooseDevice(present, platform, isChecked))}
          />
        ))}
      </div>
      <p className={fieldStyles.help}>{texts.devicesHelp}</p>
      <div className={groupStyles.fields}>
        <ValueField place={placeBelow(place, 'country')} spec={COUNTRIES} label={texts.countries} />
        <ValueField
          place={placeBelow(place, 'to')}
          spec={{
            kind: 'choice',
            choices: ['', ...Object.keys(ends)],
            names: { ...ends, '': texts.sameEnd },
            fallback: '',
          }}
          label={texts.goTo}
        />
        {end === 'line' && <ValueField place={placeBelow(place, 'path')} spec={PATH} label={texts.path} />}
      </div>
      <ProblemList problems={problems} />
      {!isViewer && (
        <div className={own.actions}>
          {index > 0 && (
            <button
              className={buttons.button}
              type="button"
              aria-label={texts.upOf(index + 1)}
              onClick={onMoveUp}
            >
              {texts.up}
            </button>
          )}
          <RemoveButton place={place} label={texts.removeRule} name={texts.removeRuleOf(index + 1)} />
        </div>
      )}
    </fieldset>
  );
}

/** Says a rule as a sentence. */
function useSentence(number: number, { device, country }: DraftRule, end: string): string {
  const texts = useCampaignFormTexts();
  const { language } = useLocale();
  const nameDevice = (name: string): string => (isPlatform(name) ? texts.devices[name] : name);
  const devices = readNames(device).map(nameDevice).join(texts.or) || texts.anyDevice;
  const countries = readNames(country)
    .map((code) => formatCountry(code, language))
    .join(texts.or);
  return texts.sentence(number, devices, countries, end);
}

/** A rule without devices is for all of them. */
function chooseDevice({ device, ...rule }: DraftRule, platform: Platform, isChosen: boolean): DraftRule {
  const chosen = chooseName(device, { name: platform, isChosen, offered: PLATFORMS });
  return chosen.length === 0 ? rule : { device: chosen, ...rule };
}

function isPlatform(name: string): name is Platform {
  return (PLATFORMS as readonly string[]).includes(name);
}

/** A device that no rule names yet, so that the new rule fits somebody. */
function findFreeDevice(rules: readonly DraftRule[]): Platform {
  const named = new Set(rules.flatMap(({ device }) => readNames(device)));
  return PLATFORMS.find((platform) => !named.has(platform)) ?? 'ios';
}

/** Finds the rule by its content: after the first click of a double click it is at another place. */
function moveUp(rules: readonly DraftRule[], rule: DraftRule): readonly DraftRule[] {
  const index = rules.findIndex((each) => JSON.stringify(each) === JSON.stringify(rule));
  if (index < 1) return rules;
  return rules.toSpliced(index, 1).toSpliced(index - 1, 0, ...rules.slice(index, index + 1));
}
