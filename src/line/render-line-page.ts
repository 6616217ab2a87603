/** Renders the page of a demo line. It shows which line the visitor has entered. */
export function renderLinePage(hostname: string, marker: string): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(hostname)}</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #10151f; color: #e8ecf4;
    font: 1rem/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", sans-serif; }
  main { padding: 2.5rem; text-align: center; }
  h1 { margin: 0 0 .5rem; font-size: 1.75rem; color: #e0b34c; overflow-wrap: anywhere; }
  p { margin: 0; color: #a9b3c6; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(hostname)}</h1>
<p>您已进入此线路。这是演示页面，正式线路会在这里显示品牌网站。</p>
<p lang="en">You have entered this line. A real line shows the site of the brand here.</p>
<p><small>${escapeHtml(marker)}</small></p>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
