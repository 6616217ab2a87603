import { expect, test } from 'vitest';
import { takeSteps } from '../process/create-step-watch.ts';
import { addObservation, createCounts, openVoter } from './counts.ts';
import { createDoubts } from './create-doubts.ts';
import { createLosses, foldLosses } from './losses/judge-losses.ts';

type Try = {
  readonly area?: string;
  readonly line?: string;
  readonly reached?: number;
  readonly lost?: number;
};

function openDoubts() {
  const doubts = createDoubts();
  const losses = createLosses();
  let now = 0;
  return {
    see: (...tries: readonly Try[]) => {
      const counts = createCounts();
      for (const { area = 'GB/AS1', line = 'a', reached = 0, lost = 0 } of tries) {
        const seen = { reached, failed: lost, lost, times: reached, sumLnMs: 0 };
        addObservation(openVoter(counts, area, 1), line, seen);
      }
      now += 10_000;
      takeSteps(foldLosses(losses, [...counts.areas], now));
      takeSteps(doubts.note(losses, [...counts.areas], now));
    },
    wait: (ms: number) => void (now += ms),
    ask: doubts.ask,
    /** What the next visitors of an area are asked to try, until they are asked nothing. */
    askAll: (area: string): readonly string[] => {
      const asked: string[] = [];
      for (;;) {
        const line = doubts.ask(area, () => true);
        if (line === undefined) return asked;
        asked.push(line);
      }
    },
  };
}

test('after a failure, twelve visitors of the network and twelve of the country are asked, and nobody elsewhere', () => {
  const { see, askAll } = openDoubts();
  expect(askAll('GB/AS1')).toEqual([]);
  see({ lost: 1 });
  expect(askAll('DE/AS1')).toEqual([]);
  expect(askAll('GB/AS2')).toEqual(Array(12).fill('a'));
  expect(askAll('GB/AS1')).toEqual(Array(12).fill('a'));
});

test('a visitor who is handed a line counts for that line only', () => {
  const { see, ask, askAll } = openDoubts();
  see({ area: '/AS1', lost: 1 }, { area: '/AS1', line: 'b', lost: 1 });
  expect(ask('/AS1', (line) => line === 'b')).toBe('b');
  expect(askAll('/AS1')).toEqual([...Array(12).fill('a'), ...Array(11).fill('b')]);
});

test('where no country is known, the network alone is asked', () => {
  const { see, askAll } = openDoubts();
  see({ area: '/AS1', lost: 1 });
  expect(askAll('/AS2')).toEqual([]);
  expect(askAll('/AS1')).toHaveLength(12);
});

test('each visitor who reaches the line halves the doubt', () => {
  const { see, askAll } = openDoubts();
  see({ area: '/AS1', lost: 1 });
  see({ area: '/AS1', reached: 1 });
  expect(askAll('/AS1')).toHaveLength(6);
  see({ area: '/AS1', reached: 1, lost: 1 });
  expect(askAll('/AS1')).toEqual([]);
});

test('four failures in a row settle it: the line is lost, and nobody is asked until it was back and failed again', () => {
  const { see, askAll } = openDoubts();
  const area = '/AS1';
  for (let failure = 1; failure <= 3; failure += 1) see({ area, lost: 1 });
  expect(askAll(area)).toHaveLength(12);
  see({ area, lost: 1 });
  see({ area, lost: 1 });
  expect(askAll(area)).toEqual([]);
  see({ area, reached: 3 });
  see({ area, lost: 1 });
  expect(askAll(area)).toHaveLength(12);
});

test('a failure is forgotten after half an hour', () => {
  const { see, wait, askAll } = openDoubts();
  see({ lost: 1 });
  wait(30 * 60_000);
  see({ line: 'b', reached: 1 });
  expect(askAll('GB/AS1')).toEqual([]);
});

test('of more than 2,000 places, those that failed first are forgotten', () => {
  const { see, askAll } = openDoubts();
  see(...Array.from({ length: 2_001 }, (_, network) => ({ area: `/AS${network}`, lost: 1 })));
  expect(askAll('/AS0')).toEqual([]);
  expect(askAll('/AS1')).toHaveLength(12);
});
