/** One edit of a shipped config: what an operator would change, and what has to differ in a test. */
export type Edit = readonly [from: string | RegExp, to: string];

/**
 * Every edit must find its text. If the config has changed, this fails here, and no test passes without testing anything.
 */
export function editConfig(config: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [from, to]) => {
    const edited = text.replaceAll(from, to);
    if (edited === text) throw new Error(`the shipped config has no ${String(from)}`);
    return edited;
  }, config);
}
