import { createRecord } from '../../src/server/testing/intake-messages.ts';

/**
 * A recording as somebody might write it who wants to get into the console: everything in it tries to run a script or to ask
 * the attacker's host.
 */
export function createHostileRecording(attacker: string, startedAt: number) {
  const [session, view] = ['e'.repeat(32), 'f'.repeat(32)];
  const run = 'top.hostile = parent.hostile = window.hostile = true';
  let id = 10;
  const element = (tagName: string, attributes: object = {}, childNodes: readonly object[] = []) => ({
    type: 2,
    tagName,
    attributes,
    childNodes,
    id: (id += 1),
  });
  const text = (textContent: string) => ({ type: 3, textContent, id: (id += 1) });
  const rules = `@import "${attacker}/import.css"; @font-face { font-family: x; src: url("${attacker}/font.woff2"); }
    body { font-family: x; background: url("${attacker}/background.png") } h1 { background: url("/api/console/overview") }`;
  const hostile = [
    element('script', {}, [text(run)]),
    element('SCRIPT', { src: `${attacker}/script.js` }),
    element('script', { src: '/assets/x.js' }),
    element('img', { src: `${attacker}/image.png`, onerror: run, onload: run }),
    element('img', { src: '/api/console/overview', srcset: `${attacker}/a.png 1x`, onerror: run }),
    element('picture', {}, [element('source', { srcset: `${attacker}/source.avif` }), element('img')]),
    element('video', { src: `${attacker}/video.mp4`, poster: `${attacker}/poster.png`, autoplay: '' }),
    element('iframe', { src: `${attacker}/frame`, srcdoc: `<script>${run}</script>` }),
    element('object', { data: `${attacker}/object` }),
    element('embed', { src: `${attacker}/embed` }),
    element('form', { action: `${attacker}/form` }, [
      element('button', { formaction: `${attacker}/button`, autofocus: '' }, [text('Send')]),
    ]),
    element('a', { href: `javascript:${run}`, ping: `${attacker}/ping` }, [text('Enter')]),
    element('a', { href: `${attacker}/link`, target: '_top' }, [text('Leave')]),
    element('style', { _cssText: rules }),
    {
      ...element('svg', { onload: run }, [
        { ...element('image', { href: `${attacker}/svg.png` }), isSVG: true },
      ]),
      isSVG: true,
    },
    element('details', { open: '', ontoggle: run }),
    element('h1', { style: `background: url("${attacker}/style.png")` }, [text('The hostile page')]),
  ];
  const head = element('head', {}, [
    element('meta', { 'http-equiv': 'refresh', content: `0; url=${attacker}/refresh` }),
    element('base', { href: attacker }),
    ...[
      'stylesheet',
      'preconnect',
      'dns-prefetch',
      'prefetch',
      'preload',
      'modulepreload',
      'icon',
      'manifest',
    ].flatMap((rel) => [
      element('link', { rel, href: `${attacker}/${rel}`, as: 'image' }),
      // A browser makes texts of these.
      { ...element('', { rel, href: [`${attacker}/${rel}`], as: 'image' }), tagName: ['link'] },
    ]),
  ]);
  const body = element('body', { onload: run, background: `${attacker}/body.png` }, hostile);
  const change = (data: object, afterMs: number) => ({
    type: 3,
    timestamp: startedAt + afterMs,
    data: { ...data },
  });
  const added = element('img', { src: `${attacker}/added.png`, onerror: run });
  const events = [
    { type: 4, timestamp: startedAt, data: { href: `${attacker}/`, width: 800, height: 600 } },
    {
      type: 2,
      timestamp: startedAt + 1,
      data: {
        node: { type: 0, id: 1, childNodes: [{ ...element('html', {}, [head, body]) }] },
        initialOffset: { top: 0, left: 0 },
      },
    },
    change(
      {
        source: 0,
        texts: [],
        removes: [],
        attributes: [
          { id: body.id, attributes: { onclick: run, style: `background: url("${attacker}/changed.png")` } },
        ],
        adds: [
          { parentId: body.id, nextId: null, node: added },
          { parentId: body.id, nextId: null, node: element('script', {}, [text(run)]) },
        ],
      },
      500,
    ),
    change({ source: 10, family: 'y', fontSource: `url(${attacker}/font2.woff2)`, buffer: false }, 600),
    { type: 6, timestamp: startedAt + 700, data: { plugin: 'x', payload: {} } },
    change({ source: 2, type: 2, id: body.id, x: 20, y: 20 }, 1_000),
  ];
  const record = createRecord({
    session,
    view,
    sessionStartedAt: startedAt,
    openedAt: startedAt,
    startedAt,
    errors: [{ at: startedAt + 400, message: `<img src=${attacker}/message.png onerror=${run}>`, stack: '' }],
    segments: 1,
  });
  return { session, messages: [record, { kind: 'segment', session, view, number: 1, events }] };
}
