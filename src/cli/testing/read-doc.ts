import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A part of a document, under one heading. */
export type Section = { readonly title: string; readonly text: string };

/** Reads a page of `docs/` in its sections, in their order; what a heading of a lower level holds is a section of its own. */
export async function readDoc(name: string): Promise<readonly Section[]> {
  const file = fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));
  const parts = (await readFile(file, 'utf8')).split(/^#+ (?=[^\n]+\n\n)/m);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return { title: part.slice(0, end), text: part.slice(end) };
  });
}

/** The text under one heading. */
export function findSection(sections: readonly Section[], title: string): string {
  const found = sections.find((section) => section.title === title);
  if (found === undefined) throw new Error(`the document has no section "${title}"`);
  return found.text;
}

/** Reads the first column of a section's tables. */
export function readFirstColumn(text: string): readonly string[] {
  return [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, key = '']) => key);
}
