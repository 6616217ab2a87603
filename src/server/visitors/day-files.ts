import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { DAY_MS } from '../../contract/limits.ts';
import { giveToOwner } from '../process/give-to-owner.ts';
import { readCode } from '../process/read-code.ts';
import { readDataFile } from '../process/read-data-file.ts';
import { replaceFile } from '../process/replace-file.ts';
import { type Cells, isCell } from './cells.ts';
import { hoursOf } from './visit-ledger.ts';

/** The counts of a day: by hour, and in it by the process that counted. */
export type DayCounts = ReadonlyMap<number, ReadonlyMap<string, Cells>>;

/** One file a day, such as `2026-11-16.json`. */
export type DayFiles = {
  /** Empty if there is no such file, or if it is damaged. Rejects if it cannot be read for now. */
  readonly read: (day: number) => Promise<DayCounts>;
  readonly write: (day: number, counts: DayCounts) => Promise<void>;
  /** Removes the files of days before this one. */
  readonly removeBefore: (day: number) => Promise<void>;
};

const NAME = /^(\d{4}-\d{2}-\d{2})\.json$/;

const fileSchema = v.strictObject({
  /** By the hour of the day, the process, and the cell. */
  hours: v.record(v.string(), v.record(v.string(), v.record(v.string(), v.number()))),
});

export function openDayFiles(dir: string, log: Logger): DayFiles {
  const pathOf = (day: number): string => join(dir, `${nameDay(day)}.json`);
  return {
    read: async (day) => {
      const text = await readDataFile(pathOf(day)).catch((error: unknown) => {
        if (readCode(error) === 'ENOENT') return '{"hours":{}}';
        throw error;
      });
      try {
        return parseDay(day, text);
      } catch (error) {
        log.warn({ err: error, path: pathOf(day) }, 'the numbers of a day cannot be read: they are ignored');
        return new Map();
      }
    },
    write: async (day, counts) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await giveToOwner(dir);
      await replaceFile(pathOf(day), Buffer.from(writeDay(day, counts)));
    },
    removeBefore: async (day) => {
      const names = await readdir(dir).catch((error: unknown) => {
        if (readCode(error) === 'ENOENT') return [];
        throw error;
      });
      const isOld = (name: string): boolean => (NAME.exec(name)?.[1] ?? nameDay(day)) < nameDay(day);
      await Promise.all(names.filter(isOld).map((name) => rm(join(dir, name), { force: true })));
    },
  };
}

function nameDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function parseDay(day: number, text: string): DayCounts {
  const { hours } = v.parse(fileSchema, JSON.parse(text));
  return new Map(
    hoursOf(day).map((hour, index) => {
      const sources = Object.entries(hours[index] ?? {});
      return [hour, new Map(sources.map(([source, cells]) => [source, readCells(cells)]))];
    }),
  );
}

/** Takes what can have been counted. The rest was written by somebody else. */
function readCells(cells: Readonly<Record<string, number>>): Cells {
  return new Map(
    Object.entries(cells).filter(([cell, count]) => isCell(cell) && Number.isSafeInteger(count) && count > 0),
  );
}

function writeDay(day: number, counts: DayCounts): string {
  const hours = hoursOf(day).flatMap((hour, index) => {
    const sources = [...(counts.get(hour) ?? [])];
    if (sources.length === 0) return [];
    return [
      [index, Object.fromEntries(sources.map(([source, cells]) => [source, Object.fromEntries(cells)]))],
    ];
  });
  return `${JSON.stringify({ hours: Object.fromEntries(hours) as unknown })}\n`;
}
