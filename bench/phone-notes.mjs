// Runs in the page, before its own scripts: notes what measure-phone-visit.ts wants to know. No import, no export.

const ROWS = 4;
/** Chromium tells of no shorter tap. */
const SHORTEST_TAP_MS = 16;

const notes = { tasks: [], frames: [], taps: [], shownMs: {}, paintedMs: 0, liveMs: 0, retestedMs: 0 };
/** Whether "retest" is clicked, once, as soon as a number is on screen and the button is enabled. */
let retest = 'unwanted';
globalThis.phoneNotes = { findFirstLink, wantRetest, isFinished, isRetested, read };

observe({ type: 'longtask' }, ({ startTime, duration }) =>
  notes.tasks.push({ startMs: startTime, durationMs: duration }),
);
observe({ type: 'long-animation-frame' }, ({ startTime, duration, styleAndLayoutStart }) => {
  if (styleAndLayoutStart > 0)
    notes.frames.push({ startMs: startTime, drawingMs: startTime + duration - styleAndLayoutStart });
});
observe({ type: 'event', durationThreshold: SHORTEST_TAP_MS }, (tap) => {
  const { interactionId, startTime, processingEnd, duration } = tap;
  if (interactionId > 0) notes.taps.push({ handledMs: processingEnd - startTime, drawnMs: duration });
});
observe({ type: 'paint' }, ({ name, startTime }) => {
  if (name === 'first-contentful-paint') notes.paintedMs = startTime;
});
// A tap on a link would open a tab, and that would hide the page.
addEventListener('click', (event) => event.preventDefault(), true);
const seen = new Set();
new MutationObserver(lookAtRows).observe(document, {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
});

function observe(options, note) {
  const observer = new PerformanceObserver((list) => list.getEntries().forEach((entry) => note(entry)));
  observer.observe({ ...options, buffered: true });
}

function lookAtRows() {
  for (const row of document.querySelectorAll('[data-row]')) {
    const number = row.dataset.row;
    if (seen.has(number) || !isNumber(row)) continue;
    seen.add(number);
    whenPainted(() => {
      notes.shownMs[number] = performance.now();
      clickRetest();
    });
  }
  clickRetest();
  if (document.querySelector('[data-row="1"] [data-silent="copy"]:enabled'))
    notes.liveMs ||= performance.now();
}

function wantRetest() {
  retest = 'wanted';
}

function clickRetest() {
  const button = document.querySelector('[data-event="retest"][aria-disabled="false"]');
  const [first] = Object.keys(notes.shownMs);
  if (retest === 'wanted' && button && first) {
    retest = 'clicked';
    button.click();
  }
  // The new run has begun when the number is gone.
  if (retest === 'clicked' && !isNumber(document.querySelector(`[data-row="${first}"]`)))
    notes.retestedMs ||= performance.now();
}

function isNumber(row) {
  return /^\d+ms$/.test(row.querySelector('[data-speed]')?.textContent);
}

/** Acts after the next frame. */
function whenPainted(act) {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', act);
    port1.start();
    port2.postMessage(undefined);
  });
}

/** The middle of the first row's link, once it is painted. */
function findFirstLink() {
  if (!notes.paintedMs) return undefined;
  const { x, y, width, height } = document.querySelector('[data-row="1"] a').getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

function isFinished() {
  const isReady = document.querySelector('[data-phase="ready"]') !== null;
  return isReady && notes.liveMs > 0 && Object.keys(notes.shownMs).length === ROWS;
}

function isRetested() {
  return notes.retestedMs > 0;
}

/** What was noted, and when each row's line had answered. */
function read() {
  const answers = performance.getEntriesByType('resource');
  const answeredMs = {};
  for (const row of document.querySelectorAll('[data-row]')) {
    const probe = `${row.querySelector('a')?.origin}/speed.php`;
    answeredMs[row.dataset.row] = answers.find(({ name }) => name === probe)?.responseEnd;
  }
  return { ...notes, answeredMs };
}
