/** Control characters, and those that change how the text around them is shown. A terminal obeys some of them. */
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Makes one printable line, of limited length, of what somebody else wrote. */
export function quoteForeign(text: string, maxChars: number): string {
  const line = text.slice(0, maxChars).replace(NOT_PRINTABLE, '�');
  return text.length > maxChars ? `${line}…` : line;
}
