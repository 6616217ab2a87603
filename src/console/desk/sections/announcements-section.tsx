import { type ReactNode, useState } from 'react';
import { FALLBACK_KEY } from '../../../contract/site/locales.ts';
import { useLocale } from '../../locale/locale.ts';
import { Panel } from '../../parts/panel.tsx';
import type { FieldSpec } from '../store/field-specs.ts';
import groupStyles from '../fields/field-groups.module.css';
import { PeriodFields } from '../fields/period-fields.tsx';
import { ValueField } from '../fields/value-field.tsx';
import { nameLanguage } from '../locale/name-language.ts';
import { LivePreview } from '../preview/live-preview.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { type Place, SITE_FILE, placeBelow, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { RemoveButton } from '../parts/remove-button.tsx';
import groups from '../parts/groups.module.css';

const TEXT: FieldSpec = { kind: 'long-text' };
const URL: FieldSpec = { kind: 'url', fallback: '' };

/** The announcement of each language, with its time. */
export function AnnouncementsSection(): ReactNode {
  const texts = useDeskTexts();
  const { languages } = useDesk();
  const [edited, setEdited] = useState<string>();
  const shown = edited === undefined || edited === FALLBACK_KEY ? languages.defaultLocale : edited;
  return (
    <div className={groups.beside}>
      <Panel title={texts.sections.announcements} note={texts.announcementsNote} id="desk-announcements">
        <div className={groups.groups}>
          {[...languages.locales, FALLBACK_KEY].map((language) => (
            <div key={language} onFocus={() => setEdited(language)}>
              <Announcement language={language} />
            </div>
          ))}
        </div>
      </Panel>
      <LivePreview language={shown} />
    </div>
  );
}

function Announcement({ language }: { readonly language: string }): ReactNode {
  const texts = useDeskTexts();
  const { language: spoken } = useLocale();
  const { snapshot, isViewer } = useDesk();
  const place: Place = { file: SITE_FILE, path: ['announcement', language] };
  const isThere = readValue(snapshot.json, place) !== undefined;
  return (
    <fieldset className={groups.group}>
      <legend className={groups.legend}>
        {texts.announcementFor(
          language === FALLBACK_KEY ? texts.allLanguages : nameLanguage(language, spoken),
        )}
      </legend>
      <ValueField place={placeBelow(place, 'text')} spec={TEXT} label={texts.announcementText} />
      <ValueField place={placeBelow(place, 'url')} spec={URL} label={texts.announcementUrl} />
      <div className={groupStyles.fields}>
        <PeriodFields place={place} />
      </div>
      {isThere && !isViewer && <RemoveButton place={place} label={texts.removeAnnouncement} />}
    </fieldset>
  );
}
