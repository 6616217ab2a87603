import { expect, test } from 'vitest';
import { readRulesText, writeRules, writeSettings } from './line-rules.ts';

const ZONE = 'Asia/Singapore';
const LATER = { reason: 'more disks', from: '2027-01-01T08:00+08:00' };
const LINE = {
  host: 'a.example',
  weight: 2,
  drain: true,
  countries: { only: ['SG', 'MY'] },
  networks: { not: ['AS64500', '203.0.113.0/24'] },
  maintenance: [{ until: '2026-12-01T02:00Z', reason: 'new disks' }, LATER],
};

test('the form has the rules of a line, with times of the operator’s zone', () => {
  expect(readRulesText(LINE, ZONE)).toEqual({
    drain: true,
    countriesOnly: 'SG, MY',
    countriesNot: '',
    networksOnly: '',
    networksNot: 'AS64500, 203.0.113.0/24',
    isMaintained: true,
    reason: 'new disks',
    from: '',
    until: '2026-12-01T10:00',
  });
});

test('what is not changed stays as it is, and so do later maintenances', () => {
  expect(writeRules(LINE, readRulesText(LINE, ZONE), ZONE)).toEqual({
    ...LINE,
    maintenance: [{ until: '2026-12-01T10:00+08:00', reason: 'new disks' }, LATER],
  });
});

test('what was changed in the form is put into the line as it is by then, and nothing else', () => {
  // The maintenance was planned since somebody has typed the weight.
  expect(writeSettings(LINE, { weight: '3' }, ZONE)).toMatchObject({
    ...LINE,
    weight: 3,
    maintenance: [{ reason: 'new disks' }, LATER],
  });
  expect(writeSettings(LINE, { isMaintained: false }, ZONE)).not.toHaveProperty('maintenance');
  expect(writeSettings(LINE, { from: 'soon' }, ZONE)).toBeUndefined();
});

test('rules that are emptied are taken out', () => {
  const empty = {
    ...readRulesText(LINE, ZONE),
    drain: false,
    countriesOnly: ' ',
    networksNot: '',
    isMaintained: false,
  };
  expect(writeRules(LINE, empty, ZONE)).toEqual({ host: 'a.example', weight: 2 });
});

test('lists may be pasted in any form', () => {
  const typed = {
    ...readRulesText({ host: 'a.example' }, ZONE),
    countriesNot: 'sg; my\ncn',
    networksOnly: 'AS1，10.0.0.0/8',
  };
  expect(writeRules({ host: 'a.example' }, typed, ZONE)).toEqual({
    host: 'a.example',
    countries: { not: ['SG', 'MY', 'CN'] },
    networks: { only: ['AS1', '10.0.0.0/8'] },
  });
});

test('a time that is none is refused, unless there is no maintenance', () => {
  const typed = { ...readRulesText(LINE, ZONE), from: 'soon' };
  expect(writeRules(LINE, typed, ZONE)).toBeUndefined();
  expect(writeRules(LINE, { ...typed, isMaintained: false }, ZONE)).not.toHaveProperty('maintenance');
});

test('what the file has in another form is not read, and costs nothing but itself', () => {
  const odd = { host: 'a.example', countries: 'SG', networks: null, maintenance: [7], drain: 'yes' };
  expect(readRulesText(odd, ZONE)).toMatchObject({
    drain: false,
    countriesOnly: '',
    isMaintained: true,
    reason: '',
  });
});
