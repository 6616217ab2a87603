import type { ChannelKind } from '../../../contract/incidents.ts';
import type { Change, EditChange } from '../store/changes.ts';
import { type DraftJson, type Place, SITE_FILE, readNames, readValue } from '../store/draft-files.ts';
import { CHANNEL_FORMS } from './channel-forms.ts';

/** A channel as the draft has it: any part may be missing or wrong. */
export type DraftChannel = {
  readonly name: string;
  /** Undefined for a kind that this console does not know. */
  readonly kind: ChannelKind | undefined;
  /** Its place in the list. */
  readonly index: number;
};

export type DraftStep = { readonly afterMinutes?: unknown; readonly to?: unknown };

export type DraftRule = {
  readonly when?: unknown;
  readonly severity?: unknown;
  readonly lines?: unknown;
  readonly to?: unknown;
  readonly escalate?: unknown;
  readonly remindMinutes?: unknown;
  readonly hours?: unknown;
  readonly resolved?: unknown;
};

/** The place of `alerts`, or of a part of it. */
export function placeOf(...path: readonly (string | number)[]): Place {
  return { file: SITE_FILE, path: ['alerts', ...path] };
}

export function readList(json: DraftJson, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = readValue(json, placeOf(...path));
  return Array.isArray(found) ? found : [];
}

/** The channels that have a name: the others are found by the check alone. */
export function readChannels(json: DraftJson): readonly DraftChannel[] {
  return readList(json, 'channels').flatMap((written, index) => {
    const { name, kind } = Object(written) as { readonly name?: unknown; readonly kind?: unknown };
    const known = Object.hasOwn(CHANNEL_FORMS, String(kind)) ? (kind as ChannelKind) : undefined;
    return typeof name === 'string' ? [{ name, kind: known, index }] : [];
  });
}

export function readRules(json: DraftJson): readonly DraftRule[] {
  return readList(json, 'rules').map((rule) => Object(rule) as DraftRule);
}

export function readSteps({ escalate }: DraftRule): readonly DraftStep[] {
  return Array.isArray(escalate) ? escalate.map((step) => Object(step) as DraftStep) : [];
}

/** The change that adds something at the end of a list of `alerts`. */
export function appendTo(value: unknown, ...path: readonly string[]): Change {
  return {
    kind: 'edit',
    file: SITE_FILE,
    makeEdits: (json) => [{ path: placeOf(...path).path, value: [...readList(json, ...path), value] }],
  };
}

/** The change that removes a channel, and its name wherever somebody is told by it. */
export function removeChannel(name: string): EditChange {
  const without = (names: unknown): readonly string[] => readNames(names).filter((other) => other !== name);
  return {
    kind: 'edit',
    file: SITE_FILE,
    makeEdits: (json) => {
      const rules = readRules(json);
      const tellers = [
        ...rules.map(({ to }, index) => ({ at: ['rules', index, 'to'], to })),
        ...rules.flatMap((rule, index) =>
          readSteps(rule).map(({ to }, place) => ({ at: ['rules', index, 'escalate', place, 'to'], to })),
        ),
        ...readList(json, 'onCall').map((shift, index) => ({
          at: ['onCall', index, 'to'],
          to: (Object(shift) as { readonly to?: unknown }).to,
        })),
      ];
      const index = readChannels(json).find((channel) => channel.name === name)?.index;
      if (index === undefined) return [];
      return [
        ...tellers
          .filter(({ to }) => readNames(to).includes(name))
          .map(({ at, to }) => ({ path: placeOf(...at).path, value: without(to) })),
        { path: placeOf('channels', index).path },
      ];
    },
  };
}

/** The name of the variable that a channel's secret is proposed to be in. */
export function proposeSecret(name: string): string {
  return `env:WAYPOST_ALERT_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`;
}

/** Hours such as `22:00-08:00 Asia/Singapore`. Undefined if they are none. */
export type Hours = { readonly from: string; readonly until: string; readonly zone: string };

export function parseHours(hours: unknown): Hours | undefined {
  const [, from, until, zone] = /^(\d\d:\d\d)-(\d\d:\d\d) (\S+)$/.exec(String(hours)) ?? [];
  return from === undefined || until === undefined || zone === undefined ? undefined : { from, until, zone };
}

export function writeHours({ from, until, zone }: Hours): string {
  return `${from}-${until} ${zone}`;
}
