import type { ReactNode } from 'react';
import { LINK_NAMES } from '../../../contract/site/links-config.ts';
import { Panel } from '../../parts/panel.tsx';
import { SETTINGS, type SettingsGroup } from '../store/field-specs.ts';
import { Fields } from '../fields/fields.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';

const LINKS = LINK_NAMES.map((name) => `link.${name}` as const);
// The keys of an object are texts, and these are those of the groups.
const GROUPS = Object.keys(SETTINGS) as readonly SettingsGroup[];

/** The links config. */
export function LinksSection(): ReactNode {
  const texts = useDeskTexts();
  return (
    <Panel title={texts.sections.links} note={texts.linksNote} id="desk-links">
      <Fields names={LINKS} />
    </Panel>
  );
}

/** Everything that needs no form of its own. */
export function SettingsSection(): ReactNode {
  const texts = useDeskTexts();
  return (
    <>
      {GROUPS.map((group) => (
        <Panel key={group} title={texts.groups[group]} id={`desk-${group}`}>
          <Fields names={SETTINGS[group]} />
        </Panel>
      ))}
    </>
  );
}
