import type { ConsoleLine, ConsoleNetworks, ConsoleOverview, ConsoleProbe } from '../../contract/console.ts';
import type { ConsoleIncident } from '../../contract/incidents.ts';
import type { Minute, SiteMinute } from '../learning/create-history.ts';
import type { Steps } from '../process/create-step-watch.ts';
import { type Column, type PackedTable, packTable, unpackTable } from './pack-table.ts';

/** What the console answered at one time. */
export type Moment = {
  readonly overview: ConsoleOverview;
  readonly firstMinute: number;
  /** Their last hour is in the minutes of this moment and of those before it. */
  readonly lines: readonly KeptLine[];
  /** The server's own probes, by line id. */
  readonly probes: Readonly<Record<string, ConsoleProbe>>;
  readonly networks: ConsoleNetworks;
  /** Those that could still change: they were open, or had just ended. */
  readonly incidents: readonly ConsoleIncident[];
};

export type KeptLine = Omit<ConsoleLine, 'reachedByMinute'>;

/** What was counted in each minute since the moment before, oldest first. Only minutes in which something was. */
export type MomentMinutes = {
  readonly site: readonly KeptSiteMinute[];
  /** By line id. */
  readonly lines: ReadonlyMap<string, readonly Minute[]>;
};

export type KeptSiteMinute = Pick<SiteMinute, 'minute' | 'hostnameCalls'>;

type RunSteps = <T>(steps: Steps<T>) => Promise<T>;

type Head = Omit<Moment, 'networks'> & {
  readonly networks: Omit<ConsoleNetworks, 'networks'> & {
    readonly networks: readonly Pick<ConsoleNetworks['networks'][number], 'name' | 'seenAt' | 'failing'>[];
  };
};

type MinutesHead = { readonly ids: readonly string[] };

const CELL_COLUMNS = ['reached', 'lost', 'timeMs', 'failingSince'] as const;
/** These have one decimal. */
const TENTHS: ReadonlySet<string> = new Set(['reached', 'lost']);
const LINE_COLUMNS = ['minute', 'handedOut', 'tried', 'reached', 'moved', 'p50', 'p95'] as const;
const SITE_COLUMNS = ['minute', 'hostnameCalls'] as const;

export function packMoment({ networks, ...others }: Moment, runSteps: RunSteps): Promise<Uint8Array> {
  const head: Head = {
    ...others,
    networks: {
      ...networks,
      networks: networks.networks.map(({ name, seenAt, failing }) => ({ name, seenAt, failing })),
    },
  };
  const columns = CELL_COLUMNS.map((name): [string, Column] => {
    const values = networks.networks.flatMap((network) => network[name]);
    return [name, TENTHS.has(name) ? values.map((value) => value && Math.round(value * 10)) : values];
  });
  return packTable({ head, columns: Object.fromEntries(columns) }, runSteps);
}

export async function unpackMoment(packed: Uint8Array, runSteps: RunSteps): Promise<Moment> {
  const { head, columns } = await unpackTable<Head>(packed, runSteps);
  const width = head.networks.lines.length;
  const counts = (name: 'reached' | 'lost', network: number): readonly number[] =>
    cut(columns[name], network, width).map((value) => (value ?? 0) / 10);
  return {
    ...head,
    networks: {
      ...head.networks,
      networks: head.networks.networks.map(({ name, seenAt, failing }, index) => ({
        name,
        seenAt,
        failing,
        reached: counts('reached', index),
        lost: counts('lost', index),
        timeMs: cut(columns['timeMs'], index, width),
        failingSince: cut(columns['failingSince'], index, width),
      })),
    },
  };
}

export function packMinutes({ site, lines }: MomentMinutes, runSteps: RunSteps): Promise<Uint8Array> {
  const head: MinutesHead = { ids: [...lines.keys()] };
  const all = [...lines.values()];
  const columns: [string, Column][] = [
    ['counts', all.map(({ length }) => length)],
    ...LINE_COLUMNS.map((name): [string, Column] => [
      name,
      all.flatMap((minutes) => minutes.map((minute) => minute[name] ?? null)),
    ]),
    ...SITE_COLUMNS.map((name): [string, Column] => [`site.${name}`, site.map((minute) => minute[name])]),
  ];
  return packTable({ head, columns: Object.fromEntries(columns) }, runSteps);
}

/** Those of all lines, or only those of one. */
export async function unpackMinutes(
  packed: Uint8Array,
  runSteps: RunSteps,
  lineId?: string,
): Promise<MomentMinutes> {
  const { head, columns } = await unpackTable<MinutesHead>(packed, runSteps);
  const lines = new Map<string, readonly Minute[]>();
  let start = 0;
  for (const [index, id] of head.ids.entries()) {
    const end = start + (columns['counts']?.[index] ?? 0);
    if (lineId === undefined || id === lineId) lines.set(id, readMinutes(columns, start, end));
    start = end;
  }
  const calls = columns['site.hostnameCalls'];
  return {
    lines,
    site: (columns['site.minute'] ?? []).map((minute, index) => ({
      minute: minute ?? 0,
      hostnameCalls: calls?.[index] ?? 0,
    })),
  };
}

function readMinutes(
  columns: PackedTable<unknown>['columns'],
  start: number,
  end: number,
): readonly Minute[] {
  const read = (name: (typeof LINE_COLUMNS)[number], row: number): number => columns[name]?.[row] ?? 0;
  return Array.from({ length: end - start }, (_, index) => {
    const row = start + index;
    return {
      minute: read('minute', row),
      handedOut: read('handedOut', row),
      tried: read('tried', row),
      reached: read('reached', row),
      moved: read('moved', row),
      // Nobody reached it then.
      p50: read('p50', row) || undefined,
      p95: read('p95', row) || undefined,
    };
  });
}

function cut(column: Column = [], row: number, width: number): Column {
  return column.slice(row * width, (row + 1) * width);
}
