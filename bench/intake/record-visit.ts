import type { Segment } from '../../src/contract/intake-message.ts';
import { RECORDING_PATHS } from '../../src/contract/paths.ts';
import type { SessionList, SessionSummary } from '../../src/contract/recordings.ts';
import { openChromium } from '../open-chromium.ts';

/** A visit as the portal keeps it. */
export type RecordedVisit = { readonly bytes: number; readonly events: Segment['events'] };

const RETESTS = 3;
/** Until the next retest. Segments close after 30 s. */
const PAUSE_MS = 12_000;

/** Records a visit of about 50 s in a browser: three retests, all tabs, some scrolling. */
export async function recordVisit(url: string, opsUrl: string): Promise<RecordedVisit> {
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 }, locale: 'en' });
  await page.goto(url);
  await page.waitForTimeout(PAUSE_MS);
  for (let retest = 0; retest < RETESTS; retest += 1) {
    for (const tab of await page.getByRole('tab').all()) await tab.click();
    await page.mouse.wheel(0, 400);
    await page.mouse.move(200 + 100 * retest, 300, { steps: 50 });
    await page.mouse.wheel(0, -400);
    await page.getByRole('button', { name: 'Retest speed' }).click();
    await page.waitForTimeout(PAUSE_MS);
  }
  await page.close({ runBeforeUnload: true });
  const session = await waitForSession(opsUrl);
  await browser.close();
  const [view] = session.views;
  const answer = await fetch(`${opsUrl}${RECORDING_PATHS.segments}/${session.id}/${view?.id}`);
  const { events } = (await answer.json()) as Pick<Segment, 'events'>;
  return { bytes: session.bytes, events };
}

/** What the page sends while it closes comes a little later. */
async function waitForSession(opsUrl: string): Promise<SessionSummary> {
  for (;;) {
    const list = (await (await fetch(`${opsUrl}${RECORDING_PATHS.sessions}`)).json()) as SessionList;
    const [session] = list.sessions;
    const segments = session?.views[0]?.segments;
    if (session && segments && segments.kept > 1 && segments.kept === segments.made) return session;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
