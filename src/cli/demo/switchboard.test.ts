import { describe, expect, test } from 'vitest';
import type { LineBehaviour } from '../../line/line-behaviour.ts';
import { createSwitchboard, createSwitchboardApp, keepFlapping } from './switchboard.ts';

const URL_OF_PAGE = 'http://localhost:8082/';

/** A switchboard, what it did to the lines, and its page. */
function openSwitchboard() {
  const behaviours = new Map<string, LineBehaviour>();
  const switchboard = createSwitchboard({
    set: (host, behaviour) => void behaviours.set(host, behaviour),
  });
  const app = createSwitchboardApp(switchboard);
  const press = (host: string, turn: string, origin = 'http://localhost:8082') =>
    app.request(URL_OF_PAGE, {
      method: 'POST',
      headers: { Origin: origin },
      body: new URLSearchParams({ host, turn }),
    });
  const readStates = async (): Promise<readonly (readonly [string, string])[]> => {
    const text = await (await app.request(URL_OF_PAGE)).text();
    return [...text.matchAll(/data-line="(\S+)" data-is-on="(\w+)"/g)].map(
      ([, host = '', isOn = '']) => [host, isOn] as const,
    );
  };
  return { switchboard, behaviours, press, readStates };
}

describe('the switchboard', () => {
  test('shows the twelve lines, and all of them are on', async () => {
    const states = await openSwitchboard().readStates();
    expect(states).toEqual(Array.from({ length: 12 }, (_, at) => [`line${at + 1}.localhost`, 'true']));
  });

  test('switches a line off, and on again as it was', async () => {
    const { behaviours, press, readStates } = openSwitchboard();
    const pressed = await press('line1.localhost', 'off');
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/']);
    expect(behaviours.get('line1.localhost')).toEqual({ fault: 'refuse' });
    expect((await readStates())[0]).toEqual(['line1.localhost', 'false']);
    await press('line1.localhost', 'on');
    expect(behaviours.get('line1.localhost')).toEqual({ delayMs: 30 });
    expect((await readStates())[0]).toEqual(['line1.localhost', 'true']);
  });

  test('leaves the line of somebody else with its wrong marker when it is on again', async () => {
    const { behaviours, press } = openSwitchboard();
    await press('line12.localhost', 'off');
    await press('line12.localhost', 'on');
    expect(behaviours.get('line12.localhost')).toMatchObject({ fault: 'wrong-marker' });
  });

  test('does nothing for another site, or to a host that is no line', async () => {
    const { behaviours, press } = openSwitchboard();
    expect((await press('line1.localhost', 'off', 'https://elsewhere.example')).status).toBe(403);
    await press('backup1.localhost', 'off');
    expect(behaviours.size).toBe(0);
  });
});

test('one line is up for 90 s and down for 45 s, again and again', async () => {
  const { switchboard } = openSwitchboard();
  const seen: (readonly [number, boolean])[] = [];
  const wait = async (ms: number): Promise<void> => {
    seen.push([ms, switchboard.isOn('line11.localhost')]);
    if (seen.length === 4) throw new Error('the demo has ended');
  };
  await expect(keepFlapping(switchboard, wait)).rejects.toThrow('the demo has ended');
  expect(seen).toEqual([
    [90_000, true],
    [45_000, false],
    [90_000, true],
    [45_000, false],
  ]);
});
