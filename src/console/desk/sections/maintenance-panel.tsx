import type { ReactNode } from 'react';
import { useLocale } from '../../locale/locale.ts';
import { Panel } from '../../parts/panel.tsx';
import type { FieldSpec } from '../fields/field-specs.ts';
import groupStyles from '../fields/field-groups.module.css';
import { LocalizedField } from '../fields/fields.tsx';
import { ValueField } from '../fields/value-field.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { type Place, SITE_FILE, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { RemoveButton } from './remove-button.tsx';
import styles from './sections.module.css';

const REASON: FieldSpec = { kind: 'text', fallback: '' };
const CLOSES: FieldSpec = { kind: 'switch', fallback: 'false' };
const MOMENT: FieldSpec = { kind: 'moment', fallback: '' };
const MAINTENANCE: Place = { file: SITE_FILE, path: ['maintenance'] };
/** Of several the form has the first. */
const below = (key: string): Place => ({ ...MAINTENANCE, path: [...MAINTENANCE.path, 0, key] });

/** The maintenance of the whole site: visitors read a notice, and nobody is sent a message meanwhile. */
export function MaintenancePanel(): ReactNode {
  const texts = useDeskTexts();
  const { zoneName } = useLocale();
  const { snapshot, findLock } = useDesk();
  const isThere = readValue(snapshot.json, MAINTENANCE) !== undefined;
  return (
    <Panel title={texts.siteMaintenance} note={texts.siteMaintenanceNote} id="desk-maintenance">
      <div className={styles.group}>
        <LocalizedField place={below('reason')} spec={REASON} label={texts.siteMaintenanceReason} />
        <div className={groupStyles.fields}>
          <ValueField place={below('from')} spec={MOMENT} label={texts.announcementFrom(zoneName)} />
          <ValueField place={below('until')} spec={MOMENT} label={texts.announcementUntil(zoneName)} />
        </div>
        <ValueField
          place={below('closes')}
          spec={CLOSES}
          label={texts.siteCloses}
          help={texts.siteClosesNote}
        />
        {isThere && findLock(MAINTENANCE.path) === undefined && (
          <RemoveButton place={MAINTENANCE} label={texts.removeMaintenance} />
        )}
      </div>
    </Panel>
  );
}
