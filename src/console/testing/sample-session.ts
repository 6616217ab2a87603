import type { SessionSummary, ViewSummary } from '../../contract/recordings.ts';

const START = Date.UTC(2026, 10, 15, 8);

/** A view without trouble, in which a line was entered. */
export function sampleView(changes: Partial<ViewSummary> = {}): ViewSummary {
  return {
    id: 'b'.repeat(32),
    openedAt: START,
    firstRowAt: START + 400,
    reachedLines: 4,
    failedLines: 0,
    entered: [{ at: START + 3_000, host: 'line1.example', time: 43 }],
    errors: [],
    lcpMs: 900,
    replay: 'recording',
    isWhole: true,
    segments: { kept: 2, made: 2 },
    ...changes,
  };
}

export function sampleSession(changes: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id: 'a'.repeat(32),
    startedAt: START,
    lastedMs: 5_000,
    device: 'mobile',
    language: 'zh-CN',
    country: 'SG',
    network: 'SG/AS4657',
    views: [sampleView()],
    bytes: 40_000,
    ...changes,
  };
}
