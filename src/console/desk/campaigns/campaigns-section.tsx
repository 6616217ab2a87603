import { type ReactNode, useId, useState } from 'react';
import { CAMPAIGN_CODE } from '../../../contract/site/campaign-ends.ts';
import { LabelledInput } from '../../parts/labelled-input.tsx';
import { Empty, Panel } from '../../parts/panel.tsx';
import groupStyles from '../fields/field-groups.module.css';
import { useTyped } from '../fields/use-typed.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { AddForm } from '../parts/add-form.tsx';
import { FoldableList } from '../parts/foldable.tsx';
import groups from '../parts/groups.module.css';
import { useDesk } from '../store/desk-context.ts';
import { CampaignForm } from './campaign-form.tsx';
import { addCampaign, readCampaigns, suggestCode } from './read-campaigns.ts';
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
      <div className={groups.groups}>
        {!isViewer && <NewCampaign codes={codes} onAdd={setAdded} />}
        {codes.length === 0 && <Empty>{texts.none}</Empty>}
        <FoldableList>
          {codes.map((code) => (
            <CampaignForm key={code} code={code} isOpen={code === added} />
          ))}
        </FoldableList>
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
  const { store } = useDesk();
  const { value: text, problem } = useTyped<NewText>(NEW, { name: '' });
  const name = text.name.trim();
  const code = text.code ?? (name === '' ? '' : suggestCode(name, codes));
  const refusal = findRefusal();
  return (
    <AddForm
      title={texts.add}
      problemId={useId()}
      problem={refusal ?? problem}
      action={texts.addButton}
      isBlocked={name === '' || code === '' || refusal !== undefined}
      onAdd={() => void add()}
    >
      <div className={groupStyles.fields}>
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
      </div>
    </AddForm>
  );

  function type(next: NewText): void {
    if (next.name === '' && next.code === undefined) store.forget(NEW);
    else store.type(NEW, next);
  }

  function findRefusal(): string | undefined {
    if (code === '') return undefined;
    if (!CAMPAIGN_CODE.test(code)) return texts.codeWrong;
    return codes.includes(code) ? texts.codeTaken : undefined;
  }

  async function add(): Promise<void> {
    if (await store.save(NEW, [addCampaign(code, name)])) onAdd(code);
  }
}
