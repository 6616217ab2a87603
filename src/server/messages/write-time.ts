export type Place = { readonly now: number; readonly timeZone?: string | undefined };

/** Writes a time as people of a time zone read it, such as `03:12 (Singapore)`, and with its day if that is not today. */
export function writeTime(at: number, { now, timeZone = 'UTC' }: Place): string {
  // Swedes write dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [day = '', time = ''] = format.format(at).split(' ');
  const [today] = format.format(now).split(' ');
  const city = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return `${day === today ? time : `${day} ${time}`} (${city})`;
}
