import { expect, test } from 'vitest';
import { editJson } from '../../../server/desk/edit-json.ts';
import { parseFiles } from '../store/draft-files.ts';
import { parseHours, proposeSecret, removeChannel, writeHours } from './read-alerts.ts';

test('a channel that is removed is taken out of everything that names it', () => {
  const alerts = {
    channels: [{ kind: 'slack' }, { name: 'night' }, { name: 'team' }],
    rules: [{ to: ['night', 'team'], escalate: [{ afterMinutes: 10, to: ['night'] }] }, { to: ['team'] }, 7],
    onCall: [{ name: 'week-1', to: ['night'] }],
  };
  const json = { 'site.json': { alerts } };
  const change = removeChannel('night');
  const edits = change.kind === 'edit' ? change.makeEdits(json) : [];
  const after = editJson('site.json', JSON.stringify(json['site.json']), edits);
  expect(parseFiles({ 'site.json': after })).toEqual({
    'site.json': {
      alerts: {
        channels: [{ kind: 'slack' }, { name: 'team' }],
        rules: [{ to: ['team'], escalate: [{ afterMinutes: 10, to: [] }] }, { to: ['team'] }, 7],
        onCall: [{ name: 'week-1', to: [] }],
      },
    },
  });
});

test('hours are read as they are written', () => {
  const hours = '22:00-08:00 Asia/Singapore';
  expect(parseHours(hours)).toEqual({ from: '22:00', until: '08:00', zone: 'Asia/Singapore' });
  expect(writeHours({ from: '22:00', until: '08:00', zone: 'Asia/Singapore' })).toBe(hours);
  for (const wrong of [undefined, 7, 'always', '22:00-08:00', '22:00-08:00 Asia/Singapore x'])
    expect(parseHours(wrong)).toBeUndefined();
});

test('a variable is proposed whose name the server takes', () => {
  expect(proposeSecret('phone-1')).toBe('env:WAYPOST_ALERT_PHONE_1');
});
