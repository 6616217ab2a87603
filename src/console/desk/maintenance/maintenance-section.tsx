import { type ReactNode, useId } from 'react';
import buttons from '../../parts/buttons.module.css';
import { Panel } from '../../parts/panel.tsx';
import kit from '../../parts/view.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import groupStyles from '../fields/field-groups.module.css';
import { LocalizedField } from '../fields/fields.tsx';
import { PeriodFields } from '../fields/period-fields.tsx';
import { ValueField } from '../fields/value-field.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { RemoveButton } from '../parts/remove-button.tsx';
import groups from '../parts/groups.module.css';
import { updateValue } from '../store/changes.ts';
import { type Place, SITE_FILE, placeBelow, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { LineMaintenance } from './line-maintenance.tsx';

const REASON: FieldSpec = { kind: 'text', fallback: '' };
const CLOSES: FieldSpec = { kind: 'switch', fallback: 'false' };
const NEW = 'new maintenance';
const MAINTENANCE: Place = { file: SITE_FILE, path: ['maintenance'] };

/** What is planned: for the whole site, and for lines. */
export function MaintenanceSection(): ReactNode {
  return (
    <div className={kit.view}>
      <SiteMaintenance />
      <LineMaintenance />
    </div>
  );
}

/** The maintenances of the whole site: visitors read a notice, and nobody is sent a message meanwhile. */
function SiteMaintenance(): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot, findLock } = useDesk();
  const written = readValue(snapshot.json, MAINTENANCE);
  const count = Array.isArray(written) ? written.length : 0;
  const isLocked = findLock(MAINTENANCE.path) !== undefined;
  return (
    <Panel title={texts.siteMaintenance} note={texts.siteMaintenanceNote} id="desk-maintenance">
      <div className={groups.groups}>
        {/* The first has its form before it is there. */}
        {Array.from({ length: Math.max(1, count) }, (_, index) => (
          <Maintenance
            // A maintenance has no other name than its number.
            key={index}
            index={index}
            isThere={index < count}
            isAlone={count < 2}
            isLocked={isLocked}
          />
        ))}
      </div>
      {count > 0 && !isLocked && (
        <p>
          <button className={buttons.button} type="button" onClick={add}>
            {texts.addMaintenance}
          </button>
        </p>
      )}
    </Panel>
  );

  function add(): void {
    // The second click of a double click.
    if (store.isSaving(NEW)) return;
    void store.save(NEW, [
      updateValue(MAINTENANCE, (present) => [...(Array.isArray(present) ? (present as unknown[]) : []), {}]),
    ]);
  }
}

type MaintenanceProps = {
  readonly index: number;
  readonly isThere: boolean;
  /** It needs no number. */
  readonly isAlone: boolean;
  readonly isLocked: boolean;
};

function Maintenance({ index, isThere, isAlone, isLocked }: MaintenanceProps): ReactNode {
  const texts = useDeskTexts();
  const id = useId();
  const place = placeBelow(MAINTENANCE, index);
  return (
    <div className={groups.group} role="group" aria-labelledby={id}>
      <h3 className={isAlone ? 'visually-hidden' : groups.legend} id={id}>
        {texts.maintenanceNumber(index + 1)}
      </h3>
      <LocalizedField place={placeBelow(place, 'reason')} spec={REASON} label={texts.siteMaintenanceReason} />
      <div className={groupStyles.fields}>
        <PeriodFields place={place} />
      </div>
      <ValueField
        place={placeBelow(place, 'closes')}
        spec={CLOSES}
        label={texts.siteCloses}
        help={texts.siteClosesNote}
      />
      {isThere && !isLocked && <RemoveButton place={place} label={texts.removeMaintenance} />}
    </div>
  );
}
