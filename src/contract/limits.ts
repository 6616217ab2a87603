/** The constants of the product, each with its unit in its name. */

/** A probe that has no answer by then is aborted. */
export const SPEED_CHECK_TIMEOUT_MS = 5_000;
/** The hostname call is given up by then. */
export const HOSTNAMES_TIMEOUT_MS = 30_000;
/** The hostname call is no longer waited for by then: the fallback hosts step in. */
export const HOSTNAMES_PATIENCE_MS = 3_000;
/** The caller's-address call never holds the rest up for longer. */
export const CALLER_TIMEOUT_MS = 3_000;
/** A speed result is served again, without a request, for this long. */
export const RESULT_CACHE_MS = 10_000;
/** The rows say "testing" until this long after the hostname call has finished. */
export const LOADING_TAIL_MS = 1_500;
/** The fallback hosts join a race that has had no valid answer for this long. */
export const SECOND_BATCH_AFTER_MS = 1_500;
/** The browser's own timing of a probe is waited for this long once the headers are in. */
export const RESOURCE_TIMING_WAIT_MS = 50;
/** An estimate that runs this long becomes "above 20 seconds". */
export const ESTIMATE_LIMIT_MS = 20_000;
/** A running estimate moves this often. */
export const ESTIMATE_TICK_MS = 100;

/** The time of a speed result that failed or came from another server. */
export const FAILED_TIME_MS = 99_999;
/** The time of a row that is not measured yet. */
export const UNMEASURED_TIME_MS = 0;

/** The rows of the line panel, and the probes under way at once. */
export const MAX_ROWS = 4;
/** The built-in hosts behind the rows that the hostname list does not fill. */
export const FALLBACK_HOST_COUNT = 4;
/** A line host without a port gets one of these, drawn at random. */
export const LINE_PORTS: readonly number[] = [9900, 5569, 6899, 7730, 8866];

/** The links config is asked for this often before the page says that it failed. */
export const LINKS_TRIES = 3;
/** The wait before the second try of the links config; it doubles with each further one. */
export const LINKS_BACKOFF_MS = 500;
/** The last good links config of this browser is used by then, until the new one is in. */
export const LINKS_PATIENCE_MS = 3_000;
/** One try of a small JSON file (links config, target addresses) is given up by then. */
export const JSON_TIMEOUT_MS = 10_000;

export const SESSION_SAMPLE_PERCENT = 100;
export const REPLAY_SAMPLE_PERCENT = 20;
/** A session without any activity ends by then … */
export const SESSION_IDLE_MS = 900_000;
/** … and every session by then. */
export const SESSION_MAX_MS = 14_400_000;
export const REPLAY_SEGMENT_MS = 30_000;
/** Of the serialized events, before they are compressed. */
export const REPLAY_SEGMENT_BYTES = 60_000;
export const REPLAY_WORKER_START_MS = 10_000;

/** A report names at most the four rows and the four fallback hosts. */
export const REPORT_MAX_RESULTS = 8;
export const REPORT_MAX_BYTES = 2_048;
export const TICKET_LIFE_MS = 600_000;

/** The one breakpoint between "mobile" and "desktop", for the styles and the script alike. */
export const DESKTOP_MIN_WIDTH_PX = 768;
