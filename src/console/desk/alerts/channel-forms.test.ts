import type { GenericSchema } from 'valibot';
import { expect, test } from 'vitest';
import { alertChannel } from '../../../contract/site/alert-settings.ts';
import { CHANNEL_FORMS, type ChannelKey, listRequired } from './channel-forms.ts';

const UNSIGNED: ReadonlySet<string> = new Set(['slack', 'discord', 'teams', 'wecom']);
const OPTIONS = new Map(alertChannel.options.map((option) => [option.entries.kind.literal, option.entries]));

test('has a form for every kind of channel', () => {
  expect(Object.keys(CHANNEL_FORMS).toSorted()).toEqual([...OPTIONS.keys()].toSorted());
});

test.each([...OPTIONS])(
  'asks for each key of %s, demands what the schema demands, and has its defaults',
  (kind, entries) => {
    const { name: _name, kind: _kind, ...all } = entries as Readonly<Record<string, GenericSchema>>;
    const { fields } = CHANNEL_FORMS[kind];
    // Only Feishu and DingTalk sign what comes by a chat's webhook.
    const keys = Object.fromEntries(
      Object.entries(all).filter(([key]) => !(key === 'secret' && UNSIGNED.has(kind))),
    );
    expect(Object.keys(fields).toSorted()).toEqual(Object.keys(keys).toSorted());
    const isRequired = ([, schema]: readonly [string, GenericSchema]) => schema.type !== 'optional';
    expect(listRequired(kind).toSorted()).toEqual(
      Object.entries(keys)
        .filter(isRequired)
        .map(([key]) => key)
        .toSorted(),
    );
    for (const [key, schema] of Object.entries(keys)) {
      const fallback: unknown = 'default' in schema ? schema.default : undefined;
      if (fallback !== undefined) expect(fields[key as ChannelKey]?.fallback).toBe(fallback);
    }
  },
);
