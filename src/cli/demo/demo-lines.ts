import type { LineBehaviour } from '../../line/line-behaviour.ts';

/** The imaginary places of the demo. */
export type Place = 'north' | 'east' | 'south';

export type DemoLine = {
  readonly host: string;
  readonly place: Place;
  /** How its host answers somebody at this machine. */
  readonly behaviour: LineBehaviour;
};

export const PLACE_NAMES: Readonly<Record<Place, string>> = {
  north: '北港 North Harbour',
  east: '东湾 East Bay',
  south: '南山 South Hill',
};

/** This machine is in North Harbour. */
export const HERE: Place = 'north';

/** Round trips between the places, in ms. */
const DISTANCES_MS: Readonly<Record<Place, Readonly<Record<Place, number>>>> = {
  north: { north: 30, east: 120, south: 260 },
  east: { north: 120, east: 30, south: 150 },
  south: { north: 260, east: 150, south: 30 },
};

/** It comes and goes by itself. */
export const FLAPPING_HOST = 'line11.localhost';
/** Somebody else answers under its name, so it has another marker. */
const FOREIGN_HOST = 'line12.localhost';

const PLACES: readonly Place[] = ['north', 'east', 'south'];
const LINES_PER_PLACE = 4;
/** Each line of a place takes a little longer than the one before. */
const STEP_MS = 4;

/** The lines of the demo brand. */
export const DEMO_LINES: readonly DemoLine[] = PLACES.flatMap((place, index) =>
  Array.from({ length: LINES_PER_PLACE }, (_, step): DemoLine => {
    const host = `line${index * LINES_PER_PLACE + step + 1}.localhost`;
    const delayMs = findDistanceMs(HERE, place) + step * STEP_MS;
    return {
      host,
      place,
      behaviour: host === FOREIGN_HOST ? { delayMs, fault: 'wrong-marker' } : { delayMs },
    };
  }),
);

/** The fallback hosts of the demo brand. */
export const DEMO_BACKUPS: Readonly<Record<string, LineBehaviour>> = {
  'backup1.localhost': { delayMs: 60 },
  'backup2.localhost': { delayMs: 120 },
  'backup3.localhost': { delayMs: 240 },
  'backup4.localhost': { delayMs: 600 },
};

export function findDistanceMs(from: Place, to: Place): number {
  return DISTANCES_MS[from][to];
}
