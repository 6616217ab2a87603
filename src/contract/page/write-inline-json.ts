/** Writes a value as JSON that may stand in a script element: no `</script>` in it ends the element. */
export function writeInlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
