import { Hono } from 'hono';
import { csrf } from 'hono/csrf';
import type { LineHosts } from '../../line/start-line-hosts.ts';
import type { AppEnv } from '../../server/http/create-app.ts';
import { DEMO_LINES, type DemoLine, FLAPPING_HOST, PLACE_NAMES } from './demo-lines.ts';

/** Switches lines of the demo off and on. */
export type Switchboard = {
  readonly isOn: (host: string) => boolean;
  readonly turn: (host: string, isOn: boolean) => void;
};

const FLAPPING_MS = { on: 90_000, off: 45_000 };

/** Creates the switches of the demo's lines. A line that is off closes every connection at once. */
export function createSwitchboard(lines: Pick<LineHosts, 'set'>): Switchboard {
  const off = new Set<string>();
  return {
    isOn: (host) => !off.has(host),
    turn(host, isOn) {
      const line = DEMO_LINES.find((each) => each.host === host);
      if (line === undefined) return;
      if (isOn) off.delete(host);
      else off.add(host);
      lines.set(host, isOn ? line.behaviour : { fault: 'refuse' });
    },
  };
}

/** Switches one line off and on for as long as the demo runs. */
export async function keepFlapping(
  { turn }: Pick<Switchboard, 'turn'>,
  wait: (ms: number) => Promise<void>,
): Promise<never> {
  for (;;) {
    await wait(FLAPPING_MS.on);
    turn(FLAPPING_HOST, false);
    await wait(FLAPPING_MS.off);
    turn(FLAPPING_HOST, true);
  }
}

/** A page with a button for each line. It works without scripts, in every browser. */
export function createSwitchboardApp({ isOn, turn }: Switchboard): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // Other sites must not press the buttons.
  app.use(csrf());
  app.get('/', (c) =>
    c.html(renderPage(isOn), 200, {
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    }),
  );
  app.post('/', async (c) => {
    const { host, turn: to } = await c.req.parseBody();
    if (typeof host === 'string') turn(host, to === 'on');
    return c.redirect('/', 303);
  });
  return app;
}

function renderPage(isOn: Switchboard['isOn']): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Switchboard of the demo's lines</title>
<style>
  body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem; background: #10151f; color: #e8ecf4;
    font: 1rem/1.5 system-ui, "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", sans-serif; }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; color: #e0b34c; }
  p { margin: 0 0 1rem; color: #a9b3c6; }
  table { width: 100%; border-collapse: collapse; }
  th, td { padding: .4rem .5rem .4rem 0; border-top: 1px solid #2b3444; text-align: left; font-weight: 400; }
  small { display: block; color: #a9b3c6; }
  [data-is-on="false"] th { color: #ff8f85; }
  td:last-child { text-align: right; }
  button { min-width: 6.5rem; min-height: 2.5rem; border: 1px solid #e0b34c; border-radius: .4rem; background: none;
    color: inherit; font: inherit; cursor: pointer; }
</style>
</head>
<body>
<main>
<h1>Switchboard</h1>
<p>The twelve lines of the demo. This machine is in North Harbour. A line that is off closes every connection.</p>
<table>
${DEMO_LINES.map((line) => renderLine(line, isOn(line.host))).join('\n')}
</table>
</main>
</body>
</html>
`;
}

function renderLine({ host, place, behaviour }: DemoLine, isOn: boolean): string {
  return `<tr data-line="${host}" data-is-on="${isOn}">
<th scope="row">${host}<small>${describeState(host, behaviour.fault !== undefined, isOn)}</small></th>
<td>${PLACE_NAMES[place]}<small>${behaviour.delayMs} ms from here</small></td>
<td><form method="post">
<input type="hidden" name="host" value="${host}"><input type="hidden" name="turn" value="${isOn ? 'off' : 'on'}">
<button aria-label="Switch ${host} ${isOn ? 'off' : 'on'}">Switch ${isOn ? 'off' : 'on'}</button>
</form></td>
</tr>`;
}

function describeState(host: string, isForeign: boolean, isOn: boolean): string {
  const state = isOn ? 'on' : 'off';
  if (host === FLAPPING_HOST) return `${state}; it comes and goes by itself`;
  return isForeign ? `${state}; somebody else's server, with another marker` : state;
}
