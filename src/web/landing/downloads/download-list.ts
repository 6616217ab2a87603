import type { ControlEvent } from '../../../contract/page/analytics-events.ts';
import type { DownloadId } from '../../../contract/site/downloads.ts';
import type { LinkName } from '../../../contract/site/links-config.ts';
import type { IconName } from '../../kit/page/icon.tsx';
import type { PageTexts } from '../../kit/page/create-page-content.ts';

export type Download = {
  readonly link: LinkName;
  readonly icon: IconName;
  readonly name: keyof PageTexts;
  /** The platforms, or what the visitor finds there. */
  readonly note: keyof PageTexts;
  readonly text: keyof PageTexts;
  /** The label of its button. */
  readonly open: 'ubDownload' | 'walletOpen' | 'telegramOpen';
  /** Fired by its tab, and by its link on a phone. */
  readonly event: ControlEvent;
};

/** What the entries of the download area show. The site folder says which there are. */
export const DOWNLOADS: Readonly<Record<DownloadId, Download>> = {
  ub: {
    link: 'ub',
    icon: 'browser',
    name: 'ubTab',
    note: 'ubPlatforms',
    text: 'ubText',
    open: 'ubDownload',
    event: 'tab_ub',
  },
  wallet: {
    link: 'wallet',
    icon: 'wallet',
    name: 'walletTab',
    note: 'walletNote',
    text: 'walletText',
    open: 'walletOpen',
    event: 'tab_wallet',
  },
  esb: {
    link: 'esb',
    icon: 'phone',
    name: 'esbTab',
    note: 'esbPlatforms',
    text: 'esbText',
    open: 'ubDownload',
    event: 'tab_e_plus',
  },
  tg: {
    link: 'telegram',
    icon: 'channel',
    name: 'telegramTab',
    note: 'telegramNote',
    text: 'telegramText',
    open: 'telegramOpen',
    event: 'tab_telegram',
  },
};
