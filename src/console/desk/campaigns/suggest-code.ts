const MAX_CHARS = 40;

/** Suggests a code for a campaign from its name: one that no other campaign has. */
export function suggestCode(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z\d]+/g, '-');
  const code = trimDashes(plain.slice(0, MAX_CHARS)) || 'campaign';
  if (!taken.includes(code)) return code;
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    const next = trimDashes(code.slice(0, MAX_CHARS - ending.length)) + ending;
    if (!taken.includes(next)) return next;
  }
}

function trimDashes(text: string): string {
  return text.replace(/^-/, '').replace(/-$/, '');
}
