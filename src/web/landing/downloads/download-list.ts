import type { ControlEvent } from '../../../contract/page/analytics-events.ts';
import type { LinkName } from '../../../contract/site/links-config.ts';
import type { IconName } from '../../kit/page/icon.tsx';
import type { PageTexts } from '../../kit/page/page-content.ts';

export type Download = {
  readonly id: 'ub' | 'wallet' | 'esb' | 'tg';
  readonly link: LinkName;
  readonly icon: IconName;
  readonly name: keyof PageTexts;
  /** The platforms, or what the visitor finds there. */
  readonly note: keyof PageTexts;
  /** Fired by its tab, and by its link on a phone. */
  readonly event: ControlEvent;
};

/** The four entries of the download area. The first is selected by default. */
export const DOWNLOADS = [
  { id: 'ub', link: 'ub', icon: 'browser', name: 'ubTab', note: 'ubPlatforms', event: 'tab_ub' },
  {
    id: 'wallet',
    link: 'wallet',
    icon: 'wallet',
    name: 'walletTab',
    note: 'walletNote',
    event: 'tab_wallet',
  },
  { id: 'esb', link: 'esb', icon: 'phone', name: 'esbTab', note: 'esbPlatforms', event: 'tab_e_plus' },
  {
    id: 'tg',
    link: 'telegram',
    icon: 'channel',
    name: 'telegramTab',
    note: 'telegramNote',
    event: 'tab_telegram',
  },
] as const satisfies readonly Download[];
