/** jsonc-parser formats the whole line that it changes, in a time that grows with the square of what is in it. */
const MAX_LINE_SIGNS = 1_000;
const INDENT = '  ';
/** A text, a sign, a line break, other white space, or anything else, such as a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[,:[\]{}]|\n|[^\S\n]+|[^\s",:[\]{}]+/g;

/** Whether a line of a JSON file holds so much that it takes long to change something in it. */
export function hasCrowdedLine(text: string): boolean {
  let signs = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') signs = 0;
    else if (/^[,:[\]{}]/.test(token)) signs += 1;
    if (signs > MAX_LINE_SIGNS) return true;
  }
  return false;
}

/**
 * Writes a JSON file with one value on each line. Not by way of `JSON.parse`, which puts keys that are numbers first, and
 * loses a key that is there twice.
 */
export function indentJson(text: string): string {
  const written: string[] = [];
  let depth = 0;
  let last = '';
  const breakLine = (): void => void written.push(`\n${INDENT.repeat(Math.max(0, depth))}`);
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\s/.test(token)) continue;
    const isEnd = token === ']' || token === '}';
    if (isEnd) depth -= 1;
    if (last === ',' || (/[[{]/.test(last) && !isEnd) || (isEnd && !/[[{]/.test(last))) breakLine();
    if (token === '[' || token === '{') depth += 1;
    written.push(token === ':' ? ': ' : token);
    last = token.length === 1 ? token : '';
  }
  return `${written.join('')}\n`;
}
