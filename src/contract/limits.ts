/** The limits of the product, each with its unit in its name. */

/** A probe is aborted after this long without an answer. */
export const SPEED_CHECK_TIMEOUT_MS = 5_000;
/** The hostname call is aborted after this long. */
export const HOSTNAMES_TIMEOUT_MS = 30_000;
/** If the hostname call takes longer, pages use the fallback hosts meanwhile. */
export const HOSTNAMES_PATIENCE_MS = 3_000;
/** If the caller's-address call takes longer, pages go on without it. */
export const CALLER_TIMEOUT_MS = 3_000;
/** A speed result is used again for this long, without a request. */
export const RESULT_CACHE_MS = 10_000;
/** The rows show "testing" until this long after the hostname call. */
export const LOADING_TAIL_MS = 1_500;
/** The fallback hosts join a race that has no valid answer after this long. */
export const SECOND_BATCH_AFTER_MS = 1_500;
/** After the headers, a probe waits this long for the browser's own timing. */
export const RESOURCE_TIMING_WAIT_MS = 50;
/** After a request has failed, a page waits this long for the browser to say that the page's policy has blocked it. */
export const POLICY_WAIT_MS = 50;
/** An estimate that runs this long becomes "above 20 seconds". */
export const ESTIMATE_LIMIT_MS = 20_000;
/** A running estimate is updated this often. */
export const ESTIMATE_TICK_MS = 100;

/** The time of a failed speed result. */
export const FAILED_TIME_MS = 99_999;
/** The time of a row that is not measured yet. */
export const UNMEASURED_TIME_MS = 0;

/** The number of rows, and of probes at the same time. */
export const MAX_ROWS = 4;
/** The number of fallback hosts. They fill the rows for which the portal has no line. */
export const FALLBACK_HOST_COUNT = 4;
/** The most lines of a site. The server probes each of them on each port, twice a minute. */
export const MAX_LINES = 1_000;
/** A line host without a port gets one of these, drawn at random. */
export const LINE_PORTS: readonly number[] = [9900, 5569, 6899, 7730, 8866];

/** The number of tries to load the links config before the page shows a message. */
export const LINKS_TRIES = 3;
/** The wait before the second try. It doubles with each further try. */
export const LINKS_BACKOFF_MS = 500;
/** If the links config takes longer, the page uses the browser's last good one meanwhile. */
export const LINKS_PATIENCE_MS = 3_000;
/** One try to load a small JSON file (links config, target addresses) is aborted after this long. */
export const JSON_TIMEOUT_MS = 10_000;

export const SESSION_SAMPLE_PERCENT = 100;
export const REPLAY_SAMPLE_PERCENT = 20;
/** A session ends after this long without activity. */
export const SESSION_IDLE_MS = 900_000;
/** A session ends after this long at the latest. */
export const SESSION_MAX_MS = 14_400_000;
export const REPLAY_SEGMENT_MS = 30_000;
/** The size of the serialized events before compression. */
export const REPLAY_SEGMENT_BYTES = 60_000;
export const REPLAY_WORKER_START_MS = 10_000;
/** For how long, and up to how many bytes in all, the portal keeps recordings. */
export const RECORDINGS_KEEP_DAYS = 30;
export const RECORDINGS_KEEP_BYTES = 5_000_000_000;
/** The size of a message to the portal's own intake, unpacked. */
export const INTAKE_MESSAGE_BYTES = 262_144;
/** A message to the portal's own intake unpacks to at most this many times its size. */
export const INTAKE_MAX_RATIO = 20;
/** The size of a session record. Our own pages make them of about 4,000 bytes. */
export const INTAKE_RECORD_BYTES = 16_384;
/**
 * What the portal keeps of one session at most. A session of four hours with a replay makes about 2,000 messages and some
 * megabytes.
 */
export const INTAKE_SESSION_MESSAGES = 10_000;
export const INTAKE_SESSION_BYTES = 20_000_000;
export const INTAKE_SESSION_VIEWS = 100;

/** A batch of what visitors did on a page: its size, how often one thing can have happened, and how many lines it names. */
export const EVENTS_MAX_BYTES = 4_096;
export const EVENT_MAX_TIMES = 100;
export const EVENT_MAX_LINES = 8;
/** The longest `utm_…` that is counted. */
export const SOURCE_MAX_CHARS = 100;
/** The most batches of one /24 or /48 that are counted in five minutes. */
export const EVENT_BATCHES_PER_PREFIX = 600;

/** A certificate with fewer days left is a fault: a server that renews it by itself has done so long before this. */
export const MIN_CERTIFICATE_DAYS = 14;

/** A report names at most the four rows, the four fallback hosts, and the line that a visitor was in. */
export const REPORT_MAX_RESULTS = 9;
export const REPORT_MAX_BYTES = 2_048;
export const TICKET_LIFE_MS = 600_000;

/** A page that has not answered after this long is replaced by its kept shell. */
export const OFFLINE_PATIENCE_MS = 4_000;
/** For how long a browser keeps its lines, unless the site says otherwise. */
export const OFFLINE_DAYS = 7;
/** Lines are kept for at most this long. */
export const OFFLINE_MAX_DAYS = 30;

/** A navigation inside a line that has no answer after this long is raced against the line's siblings. */
export const STAY_HANG_MS = 4_000;
/** After a sibling has answered, the own line and the portal have this long before the visitor is moved. */
export const STAY_PATIENCE_MS = 2_000;
/** After this many failed requests inside a page, the line's worker looks whether the line is lost. */
export const STAY_FAILURES = 2;
/** Siblings are kept for a day, and asked for again after an hour. */
export const STAY_DAYS = 1;
export const STAY_REFRESH_MS = 3_600_000;

/** The largest JSON file of a site. A `site.json` with 1,000 lines and every rule for each of them has 0.6 MB. */
export const MAX_JSON_FILE_BYTES = 1_000_000;
/** All JSON files of a site together. 1,000 targets with 20 hosts each have 0.6 MB. */
export const MAX_SITE_JSON_BYTES = 5_000_000;
/** A JSON file of a site holds at most this many values. A `site.json` with 1,000 lines and their rules has about 20,000. */
export const MAX_JSON_VALUES = 50_000;
/** The most levels of lists and objects in a JSON file of a site: ten times what any file needs. */
export const MAX_JSON_DEPTH = 64;
/** At most 100 faults of a site folder are shown at once. A person corrects these first. */
export const MAX_FAULTS = 100;
/** The languages of a site: every page is rendered in each of them. */
export const MAX_LOCALES = 100;
/** The longest line of text that says why a version was made. */
export const MAX_WHY_CHARS = 200;
/** The largest file that can be sent to the desk. A banner has about 0.2 MB. */
export const MAX_UPLOAD_BYTES = 5_000_000;

/** The one breakpoint between "mobile" and "desktop", which grows with the letters. Styles and scripts both use it. */
export const DESKTOP_MEDIA = '(min-width: 48em)';
