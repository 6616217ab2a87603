import type { ReactNode } from 'react';
import type { DownloadId } from '../../../contract/site/downloads.ts';
import { formatText } from '../../kit/texts/format-text.ts';
import controls from '../../kit/page/controls.module.css';
import { CopyButton } from '../copy-button.tsx';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import { Picture } from '../../kit/page/picture.tsx';
import { DOWNLOADS } from './download-list.ts';
import styles from './download-panel.module.css';
import { LinkQr } from './link-qr.tsx';

type DownloadPanelProps = {
  readonly id: DownloadId;
  /** Undefined if it has no tab, because it is the only download. */
  readonly tab?: { readonly isSelected: boolean };
};

/** The panel of a download: a QR code, and what it is for. */
export function DownloadPanel({ id, tab }: DownloadPanelProps): ReactNode {
  const { links, texts } = usePage();
  const { link, icon, name, note, text, open } = DOWNLOADS[id];
  const isDownload = open === 'ubDownload';
  const href = links[link];
  return (
    <div
      className={styles.panel}
      id={`panel-${id}`}
      {...(tab && { role: 'tabpanel', 'aria-labelledby': `tab-${id}`, hidden: !tab.isSelected })}
    >
      <div className={styles.code}>
        <Code id={id} href={href} title={formatText(texts.qrCode, { name: texts[name] })} />
      </div>
      <div className={styles.about}>
        <h3 className={styles.name}>{texts[name]}</h3>
        <p>{texts[text]}</p>
        {isDownload && <p className={styles.platforms}>{texts[note]}</p>}
        {id === 'tg' && <Mailbox />}
        <ExternalLink className={controls.primary} href={href} data-silent="download">
          <Icon name={isDownload ? 'download' : icon} />
          {texts[open]}
        </ExternalLink>
        {href !== undefined && (
          <ExternalLink className={styles.address} href={href} data-silent="download">
            <bdi dir="ltr">{href}</bdi>
          </ExternalLink>
        )}
      </div>
    </div>
  );
}

type CodeProps = {
  readonly id: DownloadId;
  readonly href: string | undefined;
  readonly title: string;
};

function Code({ id, href, title }: CodeProps): ReactNode {
  const { images } = usePage();
  const image = { wallet: images.walletQr, tg: images.telegramQr, ub: undefined, esb: undefined }[id];
  if (image) return <Picture image={image} alt={title} isLazy />;
  return href === undefined ? null : <LinkQr link={href} title={title} />;
}

function Mailbox(): ReactNode {
  const { brand, texts } = usePage();
  return (
    <p className={styles.mailbox}>
      <span>{texts.mailbox}</span>
      <strong dir="ltr">{brand.email}</strong>
      <CopyButton text={brand.email} label={texts.copyMailbox} />
    </p>
  );
}
