/** The style of the message of `/r`, small because it is hardly ever seen. */
export const REDIRECT_STYLE = `
:root{color-scheme:dark;background:#10141c;color:#eef1f6;font:1rem/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif}
body{max-width:30rem;margin:0 auto;padding:20vh 1.5rem 2rem;text-align:center}
ol{list-style:none;padding:0}
a,button{display:inline-block;margin:.25rem;padding:.6rem 1.25rem;border:1px solid #4a5468;border-radius:.6rem;background:none;color:inherit;font:inherit;text-decoration:none}
button{border-color:#e0b34c;background:#e0b34c;color:#10141c;cursor:pointer}
[data-when]{display:none}
[data-outcome=none] [data-when=none],[data-outcome=restricted] [data-when=restricted]{display:revert}
[data-busy] p{opacity:.6}
[data-busy] [role]{visibility:hidden}
`.trim();
