/** The style of every page, small enough to travel inside it. */
export const STYLE = `
:root{--accent:#e0b34c;color-scheme:dark;background:#10141c;color:#eef1f6;font:16px/1.5 system-ui,"PingFang SC","Noto Sans SC","Microsoft YaHei",sans-serif}
body{max-width:40rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem}
ol{list-style:none;padding:0;display:grid;gap:.75rem}
li{display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem;align-items:center;padding:1rem;border-radius:.75rem;background:#1a202c}
li[data-fastest]{outline:2px solid var(--accent)}
a,button{color:inherit;font:inherit}
button,.button{padding:.6rem 1.25rem;border:0;border-radius:.5rem;background:var(--accent);color:#10141c;text-decoration:none;cursor:pointer}
button:disabled{opacity:.5;cursor:default}
small{color:#a9b3c4}
[data-speed]{font-variant-numeric:tabular-nums;min-width:7em;text-align:right}
[hidden]{display:none}
`.trim();
