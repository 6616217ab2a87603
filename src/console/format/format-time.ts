const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset' });

/** Writes a time in the operator's zone, with the day if that is not today. */
export function formatClock(time: number, now: number): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dayAndClock).format(time);
}

/** Writes the full date and time. */
export function formatExactTime(time: number): string {
  return whole.format(time);
}

/** Names the operator's zone: "Europe/London, GMT+1", or just "UTC". */
export function nameZone(now: number): string {
  const { timeZone: name } = zone.resolvedOptions();
  const offset = zone.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value;
  return name === 'UTC' || offset === undefined ? name : `${name}, ${offset}`;
}

/** Writes how long ago a time is, in one unit. */
export function formatAge(time: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - time) / MINUTE_MS);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min`;
  return now - time < 2 * DAY_MS ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
