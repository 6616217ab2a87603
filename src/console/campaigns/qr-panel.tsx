import { type ReactNode, useEffect, useState } from 'react';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import buttons from '../parts/buttons.module.css';
import { LabelledSelect } from '../parts/labelled-input.tsx';
import { Loading, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { isReadable, paintQr } from './check-link-qr.ts';
import styles from './campaigns.module.css';
import { QR_LEVELS, type QrLevel, drawLinkQr, writeDataUrl } from './draw-link-qr.ts';
import { useCampaignTexts } from './texts.ts';

type MadeQr =
  | { readonly kind: 'made'; readonly svg: string; readonly png: string; readonly hasLogo: boolean }
  | { readonly kind: 'unreadable' };

type QrPanelProps = {
  readonly link: string;
  readonly code: string;
  readonly look: CampaignDetail['qr'];
};

/** The QR code of a link, to download. It is offered only after a decoder has read it. */
export function QrPanel({ link, code, look }: QrPanelProps): ReactNode {
  const texts = useCampaignTexts();
  const [level, setLevel] = useState<QrLevel>('quartile');
  const made = useQr(link, level, look);
  return (
    <Panel title={texts.qr} note={texts.qrNote} id="campaign-qr">
      <div className={kit.stack}>
        <LabelledSelect
          label={texts.qrLevel}
          value={level}
          onChange={({ currentTarget }) =>
            setLevel(QR_LEVELS.find((known) => known === currentTarget.value) ?? 'quartile')
          }
        >
          {QR_LEVELS.map((name) => (
            <option key={name} value={name}>
              {texts.qrLevels[name]}
            </option>
          ))}
        </LabelledSelect>
        {made === undefined && <Loading />}
        {made?.kind === 'unreadable' && <p className={kit.problem}>{texts.qrUnreadable}</p>}
        {made?.kind === 'made' && (
          <>
            <img className={styles.qr} src={made.svg} alt={texts.qrOf(link)} width="240" height="240" />
            {!made.hasLogo && look.logo !== '' && level !== 'low' && (
              <p className={kit.note}>{texts.qrWithoutLogo}</p>
            )}
            <p className={buttons.row}>
              <a className={buttons.link} href={made.svg} download={`${code}.svg`}>
                SVG
              </a>
              <a className={buttons.link} href={made.png} download={`${code}.png`}>
                PNG
              </a>
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}

/** Draws the code and reads it back: with the logo, and without it if the decoder cannot read that. */
function useQr(link: string, level: QrLevel, { colour, logo }: CampaignDetail['qr']): MadeQr | undefined {
  const [made, setMade] = useState<{ readonly key: string; readonly qr: MadeQr }>();
  const key = JSON.stringify([link, level, colour, logo]);
  useEffect(() => {
    let isWanted = true;
    void show();
    return () => {
      isWanted = false;
    };

    async function show(): Promise<void> {
      // A picture that the browser cannot paint is no code either.
      const qr = await makeQr().catch((): MadeQr => ({ kind: 'unreadable' }));
      if (isWanted) setMade({ key, qr });
    }

    async function makeQr(): Promise<MadeQr> {
      for (const tried of new Set([logo, ''])) {
        const svg = drawLinkQr(link, level, { colour, logo: tried });
        const canvas = await paintQr(svg);
        if (!(await isReadable(canvas, link))) continue;
        return {
          kind: 'made',
          svg: writeDataUrl(svg),
          png: canvas.toDataURL('image/png'),
          hasLogo: svg.includes('<image'),
        };
      }
      return { kind: 'unreadable' };
    }
  }, [key, link, level, colour, logo]);
  return made?.key === key ? made.qr : undefined;
}
