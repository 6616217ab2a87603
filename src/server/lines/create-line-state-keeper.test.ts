import { describe, expect, test, vi } from 'vitest';
import type { LineReply } from '../../contract/line/line-reply.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { Steering } from '../learning/create-steering.ts';
import { createLineTable } from '../site/create-line-table.ts';
import { type LineStateKeeperDeps, createLineStateKeeper } from './create-line-state-keeper.ts';
import { type LineState, listWatchedLines } from './line-state.ts';

const HOSTS = ['http://line1.localhost', 'http://line2.localhost', 'http://line3.localhost'];
const ANSWER: LineReply = { kind: 'answer', status: 200, headers: {}, timeMs: 1, certificate: undefined };
const WELL = { isCutOff: false, down: [], dead: [] };

/** A server that reaches these lines only. */
function startKeeper(isReached: (host: string) => boolean, hosts = HOSTS) {
  // As much of a site as the keeper reads.
  const lines = { hosts: hosts.map((host) => ({ host })), fallback: [] } as unknown as SiteConfig['lines'];
  const table = createLineTable(lines);
  const setDown = vi.fn<Steering['setDown']>();
  const clock = { now: 1_000_000 };
  const site = vi.fn<LineStateKeeperDeps['site']>(() => ({ lines: table }));
  const keeper = createLineStateKeeper({
    site,
    steering: { setDown },
    metrics: { setLineState: () => undefined, forgetLine: () => undefined },
    now: () => clock.now,
    confirmation: () => ({ everySeconds: 5, bad: 3, good: 2 }),
  });
  const noteAll = (failure: LineReply = { kind: 'timeout' }): void => {
    for (const watched of listWatchedLines(table)) {
      const { host } = watched.line;
      const faults = isReached(host) ? [] : [{ kind: 'timeout' as const }];
      const reply = isReached(host) ? ANSWER : failure;
      keeper.note(watched, { addresses: [{ address: `${host}:80`, reply, faults, pageFault: undefined }] });
    }
  };
  const stateOf = (host: string): LineState | undefined =>
    [...keeper.states().values()].find((state) => state.host === host);
  noteAll();
  return { keeper, site, noteAll, stateOf, setDown, clock, ids: table.lines.map(({ id }) => id) };
}

test('remembers since when a line is as it is, and when it came back', () => {
  let isReached = false;
  const { noteAll, stateOf, clock } = startKeeper(() => isReached);
  clock.now += 30_000;
  noteAll();
  expect(stateOf('http://line1.localhost')).toMatchObject({
    condition: 'down',
    since: 1_000_000,
    checkedAt: 1_030_000,
    recoveredAt: undefined,
  });
  isReached = true;
  clock.now += 30_000;
  noteAll();
  expect(stateOf('http://line1.localhost')).toMatchObject({
    condition: 'up',
    since: 1_060_000,
    recoveredAt: 1_060_000,
  });
});

describe('a server that reaches no line', () => {
  test('believes visitors, unless it watches fewer than three lines', () => {
    expect(startKeeper(() => false).keeper.cutOff()).toBe('visitors');
    expect(startKeeper(() => false, HOSTS.slice(1)).keeper.cutOff()).toBeUndefined();
    expect(startKeeper((host) => host.includes('line1')).keeper.cutOff()).toBeUndefined();
  });

  test('believes itself if the lines answer, although the answers are wrong', () => {
    const { keeper, noteAll } = startKeeper(() => false);
    noteAll(ANSWER);
    expect(keeper.cutOff()).toBeUndefined();
    // It has no vote, because the site folder of the others may have another marker.
    keeper.setOthers([WELL]);
    expect(keeper.cutOff()).toBe('replicas');
  });

  test('believes the replicas that reach one, and visitors again when there is none', () => {
    const { keeper, ids } = startKeeper(() => false);
    const cutOff = { ...WELL, isCutOff: true, down: ids };
    const findJudges = (...views: readonly (readonly (typeof cutOff)[])[]) =>
      views.map((others) => {
        keeper.setOthers(others);
        return keeper.cutOff();
      });
    const well = { ...WELL, down: [] };
    expect(findJudges([well], [cutOff, well], [cutOff, cutOff], [])).toEqual([
      'replicas',
      'replicas',
      'visitors',
      'visitors',
    ]);
  });
});

describe('where there are other replicas', () => {
  test('all lines are looked at as often for many lines as for a few', () => {
    const many = Array.from({ length: 50 }, (_, index) => `http://line${index}.localhost`);
    const [few = -1, more] = [HOSTS, many].map((hosts) => {
      const { keeper, site } = startKeeper(() => false, hosts);
      site.mockClear();
      keeper.setOthers([WELL, WELL]);
      for (const _ of hosts) keeper.cutOff();
      return site.mock.calls.length;
    });
    expect(few).toBeGreaterThan(0);
    expect(more).toBe(few);
  });

  test('a line that only this one loses stays in, and is shown as degraded', () => {
    const { keeper, noteAll, stateOf, setDown, ids } = startKeeper((host) => !host.includes('line1'));
    expect(setDown).toHaveBeenLastCalledWith(new Set([ids[0]]), new Set());
    keeper.setOthers([WELL, WELL]);
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
    expect(stateOf('http://line1.localhost')).toMatchObject({ condition: 'degraded', seen: 'down' });
    // A check that finds the same changes nothing.
    noteAll();
    expect(stateOf('http://line1.localhost')?.condition).toBe('degraded');
    expect(keeper.view()).toEqual({ isCutOff: false, down: [ids[0]], dead: [] });
  });

  test('a line that most lose is out, although this one reaches it', () => {
    const { keeper, stateOf, setDown, ids } = startKeeper(() => true);
    const lost = { ...WELL, down: [ids[1] ?? ''], dead: [ids[1] ?? ''] };
    keeper.setOthers([lost, lost]);
    expect(setDown).toHaveBeenLastCalledWith(new Set([ids[1]]), new Set([ids[1]]));
    expect(stateOf('http://line2.localhost')).toMatchObject({ condition: 'down', seen: 'up' });
    keeper.setOthers([WELL, lost]);
    expect(stateOf('http://line2.localhost')).toMatchObject({ condition: 'up' });
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
  });

  test('one that is cut off from all lines changes nothing, and says so', () => {
    const { keeper, stateOf, setDown, ids } = startKeeper(() => false);
    expect(keeper.view()).toMatchObject({ isCutOff: true, dead: [] });
    expect(new Set(keeper.view()?.down)).toEqual(new Set(ids));
    keeper.setOthers([WELL, WELL]);
    expect(setDown).toHaveBeenLastCalledWith(new Set(), new Set());
    for (const host of HOSTS) expect(stateOf(host)?.condition).toBe('up');
  });

  test('a line is disputed while another replica that is not cut off sees it otherwise', () => {
    const { keeper, ids } = startKeeper((host) => !host.includes('line1'));
    const [lost = '', reached = ''] = ids;
    const listDisputed = (...others: Parameters<typeof keeper.setOthers>[0]): readonly string[] => {
      keeper.setOthers(others);
      return ids.filter(keeper.isDisputed);
    };
    expect(listDisputed()).toEqual([]);
    expect(listDisputed({ ...WELL, down: [lost] })).toEqual([]);
    expect(listDisputed(WELL)).toEqual([lost]);
    expect(listDisputed({ ...WELL, down: [lost, reached] })).toEqual([reached]);
    expect(listDisputed({ ...WELL, down: [lost] }, { ...WELL, isCutOff: true, down: [...ids] })).toEqual([]);
  });
});
