import { type ReactNode, useId } from 'react';
import { formatHost } from '../../format/format-names.ts';
import { useLocale } from '../../locale/locale.ts';
import fieldStyles from '../../parts/field.module.css';
import { Check, LabelledInput } from '../../parts/labelled-input.tsx';
import { Empty, Panel } from '../../parts/panel.tsx';
import type { FieldSpec } from '../store/field-specs.ts';
import groupStyles from '../fields/field-groups.module.css';
import { readPeriod } from '../fields/moments.ts';
import { PeriodFields } from '../fields/period-fields.tsx';
import { useTyped } from '../fields/use-typed.ts';
import { ValueField } from '../fields/value-field.tsx';
import { type PlacedLine, editLine, listMaintenances, readLines } from '../lines/line-entries.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { RemoveButton } from '../parts/remove-button.tsx';
import { AddForm } from '../parts/add-form.tsx';
import groups from '../parts/groups.module.css';
import { useDesk } from '../store/desk-context.ts';
import type { Change } from '../store/changes.ts';
import { type Place, SITE_FILE, placeBelow } from '../store/draft-files.ts';
import own from './line-maintenance.module.css';

const REASON: FieldSpec = { kind: 'text' };
const NEW = 'new maintenance of lines';

/** What was typed. */
type Plan = {
  readonly hosts: readonly string[];
  readonly reason: string;
  readonly from: string;
  readonly until: string;
};

const NOTHING: Plan = { hosts: [], reason: '', from: '', until: '' };

/** The maintenances of lines: nobody is handed such a line meanwhile, and nobody is told of it. */
export function LineMaintenance(): ReactNode {
  const texts = useDeskTexts();
  const { snapshot, isViewer } = useDesk();
  const lines = readLines(snapshot.json);
  const maintenances = lines.flatMap(({ line, place }) =>
    listMaintenances(line).map((_, index) => ({ host: line.host, place, index })),
  );
  return (
    <Panel title={texts.lineMaintenance} note={texts.lineMaintenanceNote} id="desk-line-maintenance">
      <div className={groups.groups}>
        {maintenances.length === 0 && <Empty>{texts.noLineMaintenance}</Empty>}
        {maintenances.map(({ host, place, index }) => (
          <Maintenance
            key={`${host} ${index}`}
            host={host}
            place={{ file: SITE_FILE, path: ['lines', 'hosts', place, 'maintenance', index] }}
          />
        ))}
        {!isViewer && <NewMaintenance lines={lines} />}
      </div>
    </Panel>
  );
}

function Maintenance({ host, place }: { readonly host: string; readonly place: Place }): ReactNode {
  const texts = useDeskTexts();
  const { isViewer } = useDesk();
  const id = useId();
  return (
    <div className={groups.group} role="group" aria-labelledby={id}>
      <h3 className={groups.legend} id={id}>
        {formatHost(host)}
      </h3>
      <div className={groupStyles.fields}>
        <ValueField place={placeBelow(place, 'reason')} spec={REASON} label={texts.maintenanceReason} />
        <PeriodFields place={place} />
      </div>
      {!isViewer && (
        <RemoveButton
          place={place}
          label={texts.removeMaintenance}
          name={texts.removeMaintenanceOf(formatHost(host))}
        />
      )}
    </div>
  );
}

function NewMaintenance({ lines }: { readonly lines: readonly PlacedLine[] }): ReactNode {
  const texts = useDeskTexts();
  const { timeZone, zoneName } = useLocale();
  const { store } = useDesk();
  const { value: plan, problem } = useTyped(NEW, NOTHING);
  const change = (part: Partial<Plan>): void => store.type(NEW, { ...plan, ...part });
  return (
    <AddForm
      title={texts.planLineMaintenance}
      problemId={useId()}
      problem={problem}
      action={texts.planLineMaintenanceButton}
      isBlocked={plan.hosts.length === 0}
      onAdd={save}
    >
      <fieldset className={own.lines}>
        <legend className={fieldStyles.label}>{texts.sections.lines}</legend>
        {lines.map(({ line: { host } }) => (
          <Check
            key={host}
            label={formatHost(host)}
            isChecked={plan.hosts.includes(host)}
            onChange={(isChosen) =>
              change({
                hosts: isChosen ? [...plan.hosts, host] : plan.hosts.filter((other) => other !== host),
              })
            }
          />
        ))}
      </fieldset>
      <div className={groupStyles.fields}>
        <LabelledInput
          label={texts.maintenanceReason}
          value={plan.reason}
          onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
        />
        {(['from', 'until'] as const).map((key) => (
          <LabelledInput
            key={key}
            label={(key === 'from' ? texts.fromIn : texts.untilIn)(zoneName)}
            type="datetime-local"
            value={plan[key]}
            onChange={({ currentTarget }) => change({ [key]: currentTarget.value })}
          />
        ))}
      </div>
    </AddForm>
  );

  function save(): void {
    // The second click of a double click.
    if (store.isSaving(NEW)) return;
    const period = readPeriod(plan, timeZone);
    const reason = plan.reason.trim();
    if (period === undefined) return store.type(NEW, plan, 'noMoment');
    if (reason === '') return store.type(NEW, plan, 'noReason');
    void store.save(NEW, [planFor(plan.hosts, { ...period, reason })]);
  }
}

/** The change that adds one maintenance to several lines. */
export function planFor(hosts: readonly string[], maintenance: object): Change {
  return {
    kind: 'edit',
    file: SITE_FILE,
    makeEdits: (json) =>
      hosts.flatMap((host) =>
        editLine(json, host, (line) => ({ ...line, maintenance: [...listMaintenances(line), maintenance] })),
      ),
  };
}
