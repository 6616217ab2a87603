import { readFile } from 'node:fs/promises';
import type { Browser } from '@playwright/test';
import type { Segment } from '../../src/contract/intake-message.ts';

/** The player as one file. It lies next to the package's own entry. */
const PLAYER = new URL('./replay.umd.min.cjs', import.meta.resolve('@rrweb/replay'));

type Replayer = {
  readonly iframe: HTMLIFrameElement;
  readonly pause: (atMs: number) => void;
  readonly getMetaData: () => { readonly totalTime: number };
};

type Player = { readonly rrwebReplay: { readonly Replayer: new (events: unknown) => Replayer } };

/** Plays segments to their end with rrweb's own player. Resolves with the text that the main part of the page showed then. */
export async function playReplay(browser: Browser, segments: readonly Segment[]): Promise<string> {
  const page = await browser.newPage();
  await page.setContent('<!doctype html><body></body>');
  await page.addScriptTag({ content: await readFile(PLAYER, 'utf8') });
  const text = await page.evaluate(
    (events) => {
      const { Replayer } = (globalThis as unknown as Player).rrwebReplay;
      const player = new Replayer(events);
      player.pause(player.getMetaData().totalTime);
      return player.iframe.contentDocument?.querySelector('main')?.innerText ?? '';
    },
    segments.flatMap(({ events }) => events),
  );
  await page.close();
  return text;
}
