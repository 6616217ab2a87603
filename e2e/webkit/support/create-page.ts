import { setTimeout as wait } from 'node:timers/promises';
import { type Send, WebDriverError } from './open-session.ts';
import type { PageWatch } from './watch-pages.ts';

/** What a test can do with WebKit, in Playwright's words. */
export type WebKitPage = {
  /** Opens a page of the portal. Resolves when the document has been read. */
  readonly goto: (path: string) => Promise<void>;
  /** Goes back in the history to a page of the portal, as the visitor's button does. */
  readonly goBack: () => Promise<void>;
  readonly goForward: () => Promise<void>;
  /** Leaves the page for an empty one. */
  readonly leave: () => Promise<void>;
  /** Where WebKit is, or is going. */
  readonly url: () => Promise<string>;
  /** The host name of the document that is there; an empty one while another takes its place. */
  readonly hostname: () => Promise<string>;
  /** Runs a function in the page. Arguments and result travel as JSON. */
  readonly evaluate: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Result>;
  /** The texts of the elements that can be seen. */
  readonly texts: (selector: string) => Promise<readonly string[]>;
  /** One attribute of each element that can be seen. */
  readonly attributes: (selector: string, name: string) => Promise<readonly (string | null)[]>;
  /** Clicks the one element of this role and name, once it can be seen. */
  readonly click: (role: Role, name: string) => Promise<void>;
  /** Clicks a link to another page of the portal. Resolves when its document has been read. */
  readonly follow: (name: string) => Promise<void>;
  /** How many elements of this role and name can be seen. Role and name are what WebKit tells a screen reader. */
  readonly count: (role: Role, name: string) => Promise<number>;
  /** The role and the name of the element that has the focus. */
  readonly focused: () => Promise<string>;
  /** Presses keys together, and lets go of them. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** The URL of the window that the page opened, which is closed. */
  readonly takePopup: () => Promise<string>;
  readonly resize: (size: Size) => Promise<void>;
  /** A picture of what can be seen, or of one element. */
  readonly screenshot: (selector?: string) => Promise<Buffer>;
};

export type Role = keyof typeof CANDIDATES;
export type Size = { readonly width: number; readonly height: number };

/** The elements that can have a role. WebKit says which of them have it. */
const CANDIDATES = {
  button: 'button',
  dialog: 'dialog',
  link: 'a',
  tab: '[role="tab"]',
} as const;

const KEYS: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Control: '\uE009',
};

/** The protocol's name for the id of an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
type ElementHandle = { readonly [ELEMENT]: string };

const WAIT_MS = 15_000;
/** A script that is sent while one document takes the place of another may never be answered. */
const ANSWER_MS = 2_000;
const POLL_MS = 50;

export type PageDeps = {
  readonly send: Send;
  readonly pages: PageWatch;
  /** What paths belong to. */
  readonly baseUrl: string;
};

/** Creates the page of a session. */
export function createPage({ send, pages, baseUrl }: PageDeps): WebKitPage {
  async function evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result> {
    // The function says what it returns, and JSON keeps it.
    return (await send('POST', '/execute/sync', {
      script: `return (${run.toString()})(...arguments);`,
      args,
    })) as Result;
  }

  /** Does something that brings another document, and waits until it is there. */
  async function arriveBy(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([pages.nextArrival(), act()]);
  }

  async function findAll(role: Role, name: string): Promise<readonly ElementHandle[]> {
    const candidates = (await evaluate(listVisible, CANDIDATES[role], name)) as unknown as ElementHandle[];
    const found: ElementHandle[] = [];
    for (const element of candidates) if ((await nameOf(element)) === `${role} ${name}`) found.push(element);
    return found;
  }

  async function nameOf({ [ELEMENT]: id }: ElementHandle): Promise<string> {
    const role = await send('GET', `/element/${id}/computedrole`);
    const label = await send('GET', `/element/${id}/computedlabel`);
    return `${String(role)} ${String(label)}`;
  }

  async function click(role: Role, name: string): Promise<void> {
    await retry(async () => {
      const found = await findAll(role, name);
      const [element] = found;
      if (element === undefined || found.length > 1) {
        throw new WebDriverError('click', NOT_YET, `${found.length} × ${role} "${name}"`);
      }
      await send('POST', `/element/${element[ELEMENT]}/click`);
    });
  }

  return {
    evaluate,
    goto: (path) => arriveBy(() => send('POST', '/url', { url: new URL(path, baseUrl).href })),
    goBack: () => arriveBy(() => send('POST', '/back')),
    goForward: () => arriveBy(() => send('POST', '/forward')),
    leave: async () => void (await send('POST', '/url', { url: 'about:blank' })),
    url: async () => String(await send('GET', '/url')),
    async hostname() {
      const script = { script: 'return location.hostname', args: [] };
      try {
        return String(await send('POST', '/execute/sync', script, ANSWER_MS));
      } catch {
        return '';
      }
    },
    texts: (selector) =>
      evaluate(
        (wanted) =>
          [...document.querySelectorAll<HTMLElement>(wanted)]
            .filter((element) => element.checkVisibility())
            .map((element) => element.innerText.trim()),
        selector,
      ),
    attributes: (selector, name) =>
      evaluate(
        (wanted, attribute) =>
          [...document.querySelectorAll(wanted)]
            .filter((element) => element.checkVisibility())
            .map((element) => element.getAttribute(attribute)),
        selector,
        name,
      ),
    count: (role, name) => retry(async () => (await findAll(role, name)).length),
    click,
    follow: (name) => arriveBy(() => click('link', name)),
    focused: () => retry(async () => nameOf((await send('GET', '/element/active')) as ElementHandle)),
    async press(...keys) {
      const values = keys.map((key) => KEYS[key] ?? key);
      const actions = [
        ...values.map((value) => ({ type: 'keyDown', value })),
        ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
      ];
      await send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    async takePopup() {
      const own = await send('GET', '/window');
      const popup = await retry(async () => {
        const handles = (await send('GET', '/window/handles')) as readonly string[];
        const handle = handles.find((other) => other !== own);
        if (handle === undefined) throw new WebDriverError('takePopup', NOT_YET, 'there is no other window');
        await send('POST', '/window', { handle });
        const url = String(await send('GET', '/url'));
        if (url === '' || url === 'about:blank')
          throw new WebDriverError('takePopup', NOT_YET, 'it is blank');
        return url;
      });
      await send('DELETE', '/window');
      await send('POST', '/window', { handle: own });
      return popup;
    },
    resize: async (size) => void (await send('POST', '/window/rect', size)),
    async screenshot(selector) {
      // The driver waits until WebKit draws the next time. It would wait for ever for a page that stands still.
      await evaluate(() => {
        const faint = [{ opacity: 0.999 }, { opacity: 1 }];
        document.documentElement.animate(faint, { duration: 100, iterations: Infinity, id: 'redraw' });
      });
      const element = selector && (await evaluate((wanted) => document.querySelector(wanted), selector));
      const path = element
        ? `/element/${(element as unknown as ElementHandle)[ELEMENT]}/screenshot`
        : '/screenshot';
      const picture = Buffer.from(String(await send('GET', path)), 'base64');
      await evaluate(() => {
        for (const animation of document.getAnimations()) if (animation.id === 'redraw') animation.cancel();
      });
      return picture;
    },
  };
}

/** Elements that start like the name: few are left to ask WebKit about. */
function listVisible(selector: string, name: string): readonly Element[] {
  const [start = ''] = name.split(' ');
  return [...document.querySelectorAll(selector)].filter((element) => {
    const texts = [
      element.textContent,
      element.getAttribute('aria-label'),
      element.getAttribute('aria-labelledby'),
    ];
    return element.checkVisibility() && texts.some((text) => text?.includes(start) === true);
  });
}

const NOT_YET = 'not there yet';
/** What passes when a page has been drawn, or stands still. */
const PASSING = new Set([
  NOT_YET,
  'stale element reference',
  'element not interactable',
  'element click intercepted',
]);

async function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isPassing = error instanceof WebDriverError && PASSING.has(error.code);
      if (!isPassing || performance.now() > deadline) throw error;
      await wait(POLL_MS);
    }
  }
}
