import { type ReactNode, useId } from 'react';
import { CAMPAIGN_PREFIX } from '../../../contract/paths.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import fieldStyles from '../../parts/field.module.css';
import kit from '../../parts/view.module.css';
import { hrefOf } from '../../route.ts';
import groupStyles from '../fields/field-groups.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import { LocalizedField } from '../fields/fields.tsx';
import { PeriodFields } from '../fields/period-fields.tsx';
import { ValueField } from '../fields/value-field.tsx';
import { ProblemList } from '../fields/problem-list.tsx';
import { useUpload } from '../sections/use-upload.ts';
import { Foldable } from '../parts/foldable.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import groups from '../parts/groups.module.css';
import { fileUrl } from '../store/create-desk-api.ts';
import { useDesk } from '../store/desk-context.ts';
import { SITE_FILE, readValue } from '../store/draft-files.ts';
import own from './campaigns.module.css';
import { CampaignQuery } from './campaign-query.tsx';
import { CampaignRules } from './campaign-rules.tsx';
import {
  type DraftCampaign,
  nameEnds,
  placeOf,
  readCampaigns,
  readRules,
  readText,
} from './read-campaigns.ts';
import { useCampaignFormTexts } from './texts.ts';

const NAME: FieldSpec = { kind: 'text' };
const TEXT: FieldSpec = { kind: 'text', fallback: '' };
const LONG_TEXT: FieldSpec = { kind: 'long-text', fallback: '' };

/** All of one campaign. It is closed until somebody opens it, because a site may have many. */
export function CampaignForm({
  code,
  isOpen,
}: {
  readonly code: string;
  readonly isOpen: boolean;
}): ReactNode {
  const texts = useCampaignFormTexts();
  const { snapshot, isViewer } = useDesk();
  const campaigns = readCampaigns(snapshot.json);
  const campaign = campaigns[code] ?? {};
  const ends = nameEnds(snapshot.draft?.json ?? {}, texts);
  const end = readText(campaign.to, 'line');
  const isAtLine = [end, ...readRules(campaign).map(({ to }) => readText(to, end))].includes('line');
  return (
    <Foldable
      summary={
        <>
          <span className={kit.name}>{readText(campaign.name, code)}</span>
          <span className={kit.note}>{CAMPAIGN_PREFIX + code}</span>
        </>
      }
      isOpen={isOpen}
    >
      <LinkLine code={code} />
      <ValueField place={placeOf(code, 'name')} spec={NAME} label={texts.name} />
      <div className={groupStyles.fields}>
        <ValueField
          place={placeOf(code, 'to')}
          spec={{ kind: 'choice', choices: Object.keys(ends), names: ends, fallback: 'line' }}
          label={texts.end}
        />
        {isAtLine && (
          <ValueField place={placeOf(code, 'path')} spec={TEXT} label={texts.path} help={texts.pathHelp} />
        )}
        <PeriodFields place={placeOf(code)} />
      </div>
      {isAtLine && <CampaignQuery code={code} />}
      <CampaignRules code={code} campaign={campaign} ends={ends} />
      <SharedCard code={code} campaign={campaign} />
      {!isViewer && (
        <RemoveButton place={placeOf(code)} label={texts.remove} name={`${texts.remove} (${code})`} />
      )}
    </Foldable>
  );
}

/** The link to copy, and the way to its numbers and its QR code. */
function LinkLine({ code }: { readonly code: string }): ReactNode {
  const texts = useCampaignFormTexts();
  const link = useLink(code);
  return (
    <p>
      <code>{link}</code> <CopyButton label={texts.copy} text={link} />{' '}
      <a href={hrefOf({ view: 'campaigns', code })}>{texts.more}</a>
    </p>
  );
}

function useLink(code: string): string {
  const { snapshot } = useDesk();
  const publicUrl = readValue(snapshot.json, { file: SITE_FILE, path: ['publicUrl'] });
  const path = CAMPAIGN_PREFIX + code;
  return typeof publicUrl === 'string' && URL.canParse(publicUrl) ? new URL(path, publicUrl).href : path;
}

type SharedCardProps = { readonly code: string; readonly campaign: DraftCampaign };

/** What messengers show of the link, and how that looks. */
function SharedCard({ code, campaign }: SharedCardProps): ReactNode {
  const texts = useCampaignFormTexts();
  const link = useLink(code);
  return (
    <fieldset className={groups.group}>
      <legend className={groups.legend}>{texts.shown}</legend>
      <LocalizedField place={placeOf(code, 'title')} spec={TEXT} label={texts.title} />
      <LocalizedField place={placeOf(code, 'description')} spec={LONG_TEXT} label={texts.description} />
      <LocalizedField place={placeOf(code, 'image')} spec={TEXT} label={texts.image} help={texts.imageHelp} />
      <UploadPicture code={code} />
      <p className={fieldStyles.label}>{texts.card}</p>
      <div className={own.card}>
        <CardPicture campaign={campaign} />
        <strong>{readFirst(campaign.title) || texts.siteTitle}</strong>
        <span>{readFirst(campaign.description) || texts.siteText}</span>
        <span className={kit.note}>{link}</span>
      </div>
    </fieldset>
  );
}

/** The picture that messengers show: that of the campaign, or that of the site. */
function CardPicture({ campaign }: Pick<SharedCardProps, 'campaign'>): ReactNode {
  const texts = useCampaignFormTexts();
  const { snapshot } = useDesk();
  const ofSite = readValue(snapshot.json, { file: SITE_FILE, path: ['images', 'share'] });
  const path = readFirst(campaign.image) || readFirst(ofSite);
  const file = snapshot.draft?.files.find((one) => one.path === path);
  if (file === undefined) return <span className={own.noPicture}>{texts.noPicture}</span>;
  return <img className={own.picture} src={fileUrl(file)} alt={texts.cardPicture} />;
}

/** Puts a picture into the site folder, and its path into the campaign. */
function UploadPicture({ code }: { readonly code: string }): ReactNode {
  const texts = useCampaignFormTexts();
  const { isViewer } = useDesk();
  const id = useId();
  const { upload, refusal } = useUpload(placeOf(code, 'image'));
  if (isViewer) return null;
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {texts.upload}
      </label>
      <input
        className={own.file}
        id={id}
        type="file"
        accept="image/*"
        aria-describedby={`${id}-fault`}
        onChange={({ currentTarget }) => {
          upload(currentTarget.files);
          // The same file may be chosen again: it has changed, or was removed here.
          currentTarget.value = '';
        }}
      />
      <ProblemList problems={refusal === undefined ? [] : [refusal]} id={`${id}-fault`} />
    </div>
  );
}

/** A value, or the first of those by language. */
function readFirst(value: unknown): string {
  if (typeof value === 'string') return value;
  const [first] = Object.values(Object(value) as Record<string, unknown>);
  return typeof first === 'string' ? first : '';
}
