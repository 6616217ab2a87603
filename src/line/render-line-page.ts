import { escapeHtml } from '../contract/escape-html.ts';

export type LinePage = {
  readonly hostname: string;
  readonly marker: string;
  /** The origin of the portal, if this page keeps its visitors in when the line is lost. */
  readonly portal: string | undefined;
  /** What is below the heading, as HTML. */
  readonly content: string;
};

/** What the demo's application has to show. */
export const ITEMS = ['北港 North Harbour', '东湾 East Bay', '南山 South Hill'];

/** Renders a page of a demo line. It shows which line the visitor has entered. */
export function renderLinePage({ hostname, marker, portal, content }: LinePage): string {
  const stay = portal
    ? `<script src="/waypost/stay.js" data-portal="${escapeHtml(portal)}" defer></script>\n`
    : '';
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(hostname)}</title>
${stay}<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #10151f; color: #e8ecf4;
    font: 1rem/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", sans-serif; }
  main { padding: 2.5rem; text-align: center; }
  h1 { margin: 0 0 .5rem; font-size: 1.75rem; color: #e0b34c; overflow-wrap: anywhere; }
  p { margin: 0; color: #a9b3c6; }
  ul { list-style: none; margin: 1rem 0; padding: 0; }
  a, label { display: inline-block; min-height: 44px; line-height: 44px; color: #e0b34c; }
  input, button { min-height: 44px; padding: 0 1rem; font: inherit; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(hostname)}</h1>
${content}
<p><small>${escapeHtml(marker)}</small></p>
</main>
</body>
</html>
`;
}

/** The first page of the demo's application: a list, and the way to a form. */
export function renderList(): string {
  const items = ITEMS.map((name, index) => `<li><a href="/item/${index + 1}">${name}</a></li>`);
  return `<p>您已进入此线路。这是演示页面，正式线路会在这里显示品牌网站。</p>
<p lang="en">You have entered this line. A real line shows the site of the brand here.</p>
<ul>
${items.join('\n')}
<li><a href="/form">留言 Leave a message</a></li>
</ul>
<p><button type="button" id="refresh">刷新 Refresh</button> <output></output></p>
<script src="/app.js" defer></script>`;
}

/** An item of the list. Undefined if there is none of this number. */
export function renderItem(number: string): string | undefined {
  const name = ITEMS[Number(number) - 1];
  return name && `<p>${name}</p>\n<p><a href="/">返回 Back</a></p>`;
}

export const FORM_HTML = `<form method="post">
<label>留言 Message <input name="message" autocomplete="off"></label> <button>发送 Send</button>
</form>
<p><a href="/">返回 Back</a></p>`;

export const SENT_HTML = `<p>已收到您的留言。</p>
<p lang="en">Your message was received.</p>
<p><a href="/">返回 Back</a></p>`;

/** Asks the line for its items without leaving the page, as many applications do. */
export const APP_SCRIPT = `document.getElementById('refresh').addEventListener('click', async () => {
  const output = document.querySelector('output');
  try {
    const answer = await fetch('/items.json');
    output.textContent = (await answer.json()).length;
  } catch {
    output.textContent = '✗';
  }
});
`;

/** The worker of an application that has one of its own. It answers one path, and leaves the others to ours. */
export const APP_WORKER = `addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/from-worker')) event.respondWith(new Response('from the application'));
});
importScripts('/waypost/stay-worker.js');
`;
