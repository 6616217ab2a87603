import { join } from 'node:path';

/** Where the parts of a running demo are. */
export type DemoPlaces = {
  readonly portalUrl: string;
  readonly opsUrl: string;
  /** Undefined if somebody has an account already. */
  readonly invitationUrl: string | undefined;
  readonly switchboardUrl: string;
  readonly linePort: number | undefined;
  readonly siteDir: string;
};

/** The network of this machine, in the address of a view of the console. */
const OWN_NETWORK = encodeURIComponent('/127.0');

/** Says where everything is, and what to try. `command` is how the demo was started. */
export function describeDemo(places: DemoPlaces, command: string): string {
  const { portalUrl, opsUrl, invitationUrl, switchboardUrl, linePort, siteDir } = places;
  return [
    '',
    '  Waypost demo: twelve lines in three places, and each visitor gets four of them',
    '',
    `  Landing page      ${portalUrl}/`,
    `  To the fastest    ${portalUrl}/r`,
    `  Type redirect     ${portalUrl}/t`,
    `  Console           ${opsUrl}/`,
    ...(invitationUrl === undefined ? [] : [`  Make an account   ${invitationUrl}`]),
    `  Metrics           ${opsUrl}/metrics`,
    `  Switchboard       ${switchboardUrl}/`,
    ...(linePort === undefined
      ? []
      : [`  Line hosts        http://line1.localhost:${linePort} … http://backup4.localhost:${linePort}`]),
    `  Site folder       ${siteDir}`,
    '',
    '  Open the landing page and press "Retest speed" (重新测速) every ten seconds: near lines come more and more often.',
    '  Switch a line off at the switchboard, open /r, and look in the console at what became of that line.',
    `  Start it with "${command} --visitors 20" for simulated visitors, or with "${command} --tour" for a tour.`,
    '',
    '  Ctrl-C ends it.',
    '',
  ].join('\n');
}

/** Leads through the demo in six steps: what to open, what to do, and what there is to see. */
export function describeTour({
  portalUrl,
  opsUrl,
  invitationUrl,
  switchboardUrl,
  siteDir,
}: DemoPlaces): string {
  return [
    '',
    '  A tour of Waypost in six steps',
    '',
    `  1. Measure         ${portalUrl}/?lang=en`,
    '     Your browser measures four of the twelve lines. Press "Retest speed" every ten seconds: near lines',
    '     come more and more often, because the portal learns from what your browser measured.',
    '',
    `  2. Lose a line     ${switchboardUrl}/`,
    '     Switch line1.localhost off: it is the fastest. Press "Retest speed" on the landing page: its row',
    '     says "above 5 seconds", or another line has taken its place.',
    '',
    `  3. Be redirected   ${portalUrl}/r`,
    '     You arrive at the fastest line that is left, and its page says which one it is.',
    '',
    `  4. Stay in         ${switchboardUrl}/`,
    '     Lose the line that you are in: switch it off, then follow a link of its page. You are at the same page',
    '     of another line. Press "Refresh" twice on the page of a line that is off: a bar leads to another one.',
    '',
    `  5. See why         ${opsUrl}/#/why/${OWN_NETWORK}`,
    '     The console shows the score of every line for your network. After some seconds the lines that you have',
    '     switched off are down and given to nobody, and line12.localhost, which sends a wrong marker.',
    '',
    `  6. Change it       ${join(siteDir, 'site.json')}`,
    '     Write "#5ec28f" in place of "#e0b34c", and save. Load the landing page again: the gold is green.',
    '     The folder is a copy, and is removed at the end.',
    '',
    '  To change it in the console, too, make an account there and open "Site":',
    `  ${invitationUrl ?? `${opsUrl}/ (somebody has an account already: sign in)`}`,
    '',
    '  Ctrl-C ends it.',
    '',
  ].join('\n');
}
