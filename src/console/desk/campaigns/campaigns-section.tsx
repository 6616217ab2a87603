import { type ReactNode, useId, useState } from 'react';
import { CAMPAIGN_CODE } from '../../../contract/site/campaign-ends.ts';
import buttons from '../../parts/buttons.module.css';
import fieldStyles from '../../parts/field.module.css';
import { LabelledInput } from '../../parts/labelled-input.tsx';
import { Empty, Panel } from '../../parts/panel.tsx';
import { sayProblem } from '../fields/use-problems.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import styles from '../sections/sections.module.css';
import { useDesk } from '../store/desk-context.ts';
import { changeValue } from '../store/draft-files.ts';
import { CampaignForm } from './campaign-form.tsx';
import { placeOf, readCampaigns, suggestCode } from './read-campaigns.ts';
import { useCampaignFormTexts } from './texts.ts';

/** The links of campaigns: a form for a new one, and one for each that is there. */
export function CampaignsSection(): ReactNode {
  const texts = useCampaignFormTexts();
  const deskTexts = useDeskTexts();
  const { snapshot, isViewer } = useDesk();
  const [added, setAdded] = useState('');
  const codes = Object.keys(readCampaigns(snapshot.json));
  return (
    <Panel title={deskTexts.sections.campaigns} note={texts.note} id="desk-campaigns">
      <div className={styles.groups}>
        {!isViewer && <NewCampaign codes={codes} onAdd={setAdded} />}
        {codes.length === 0 && <Empty>{texts.none}</Empty>}
        {codes.map((code) => (
          <CampaignForm key={code} code={code} isOpen={code === added} />
        ))}
      </div>
    </Panel>
  );
}

const NEW = 'new campaign';

/** What was typed. The code follows the name until somebody changes it. */
type NewText = { readonly name: string; readonly code?: string };

type NewCampaignProps = {
  readonly codes: readonly string[];
  readonly onAdd: (code: string) => void;
};

function NewCampaign({ codes, onAdd }: NewCampaignProps): ReactNode {
  const texts = useCampaignFormTexts();
  const deskTexts = useDeskTexts();
  const { store, snapshot } = useDesk();
  const id = useId();
  const typed = snapshot.typed[NEW];
  // Only this form writes under this name.
  const text = (typed?.value as NewText | undefined) ?? { name: '' };
  const name = text.name.trim();
  const code = text.code ?? (name === '' ? '' : suggestCode(name, codes));
  const problem = findProblem();
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <h3 className={styles.legend}>{texts.add}</h3>
      <LabelledInput
        label={texts.name}
        autoComplete="off"
        value={text.name}
        onChange={({ currentTarget }) => type({ ...text, name: currentTarget.value })}
      />
      <LabelledInput
        label={texts.code}
        hint={texts.codeHint}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={code}
        onChange={({ currentTarget }) => type({ ...text, code: currentTarget.value })}
      />
      <p className={fieldStyles.fault} id={`${id}-fault`} role="alert">
        {problem ?? sayProblem(typed, deskTexts)}
      </p>
      <p>
        <button
          className={buttons.button}
          disabled={name === '' || code === '' || problem !== undefined}
          aria-describedby={`${id}-fault`}
        >
          {texts.addButton}
        </button>
      </p>
    </form>
  );

  function type(next: NewText): void {
    if (next.name === '' && next.code === undefined) store.forget(NEW);
    else store.type(NEW, next);
  }

  function findProblem(): string | undefined {
    if (code === '') return undefined;
    if (!CAMPAIGN_CODE.test(code)) return texts.codeWrong;
    return codes.includes(code) ? texts.codeTaken : undefined;
  }

  async function add(): Promise<void> {
    if (await store.save(NEW, [changeValue(placeOf(code), { name })])) onAdd(code);
  }
}
