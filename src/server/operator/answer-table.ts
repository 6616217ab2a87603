import { uncached } from '../http/answer.ts';

/** A cell of a table. Null is empty. */
export type TableValue = string | number | null;

/** Sends a table as a file, whole or in parts. */
export function answerTable(table: string | AsyncGenerator<Uint8Array>, name: string): Response {
  return new Response(typeof table === 'string' ? table : ReadableStream.from(table), {
    headers: {
      ...uncached('text/csv; charset=utf-8; header=present'),
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  });
}

/** Writes rows as CSV (RFC 4180). */
export function writeRows(rows: readonly (readonly TableValue[])[]): string {
  return rows.map((row) => `${row.map(writeValue).join(',')}\r\n`).join('');
}

/**
 * A text that a spreadsheet would take for a formula gets an apostrophe, also in the wide signs of Chinese and Japanese:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function writeValue(value: TableValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
