import * as v from 'valibot';
import { DEFAULT_MARKER_HEADER } from '../api/headers.ts';
import { FALLBACK_HOST_COUNT, LINE_PORTS, MAX_LINES, SPEED_CHECK_TIMEOUT_MS } from '../limits.ts';
import { explainHost } from './explain-host.ts';
import { nameHost, parseHost } from './parse-host.ts';
import { headerName, maintenanceWith, port, region, text, wholeNumber } from './site-values.ts';

const HOST_HINT = 'must be a host such as "line1.example"';
const host = v.pipe(
  v.string(HOST_HINT),
  v.check(
    (entry) => parseHost(entry).kind === 'host',
    ({ input }) => explainHost(input),
  ),
);
/** The server checks ranges more closely, see `find-config-faults.ts`. */
const network = v.pipe(
  v.string('must be a network such as "AS64500" or "203.0.113.0/24"'),
  v.regex(
    /^(?:AS[1-9]\d{0,9}|[\da-fA-F:.]+(?:\/\d{1,3})?)$/,
    'must be a network such as "AS64500" or "203.0.113.0/24"',
  ),
);
const lineHost = v.union(
  [
    host,
    v.strictObject({
      host,
      noWWW: v.optional(v.boolean('must be true or false')),
      weight: v.optional(
        v.pipe(v.number('must be a number above 0'), v.gtValue(0, 'must be a number above 0')),
      ),
      /** Meanwhile it is handed to nobody. */
      maintenance: v.optional(maintenanceWith({ reason: text })),
      /** Nobody new is handed it. */
      drain: v.optional(v.boolean('must be true or false')),
      /** Whose visitors may be handed it. */
      countries: v.optional(onlyOrNot(region, 'must be a list of country codes such as ["SG"]')),
      networks: v.optional(
        onlyOrNot(network, 'must be a list of networks such as ["AS64500", "203.0.113.0/24"]'),
      ),
    }),
  ],
  (issue) => firstMessage(issue.issues) ?? `${HOST_HINT}, or an object with host, noWWW and weight`,
);

/** How the server finds out whether the application of a line is alive, beside the speed check. */
const health = v.strictObject({
  path: v.pipe(
    v.string('must be a path such as "/health"'),
    v.regex(/^\/[\u0021-\u007e]*$/, 'must be a path such as "/health"'),
    v.check((path) => !path.startsWith('//') && !path.includes('#'), 'must be a path such as "/health"'),
  ),
  /** What it must answer. */
  expect: v.optional(
    v.pipe(
      v.strictObject({
        status: v.optional(wholeNumber(100, 599), 200),
        /** The body must contain this. */
        text: v.optional(text),
        /** The body must be JSON with this value at these keys, with dots between. */
        json: v.optional(
          v.strictObject({
            path: text,
            value: v.union(
              [v.string(), v.number(), v.boolean(), v.null()],
              'must be a text, a number, true, false or null',
            ),
          }),
        ),
      }),
      v.check(
        ({ text: contained, json }) => contained === undefined || json === undefined,
        'must have text or json, and not both',
      ),
    ),
    {},
  ),
  everySeconds: v.optional(wholeNumber(5, 3_600), 30),
  timeoutMs: v.optional(wholeNumber(100, 30_000), SPEED_CHECK_TIMEOUT_MS),
});

/** `lines` of `site.json`: the hosts, how they are known to be the brand's, and how visitors are steered. */
export const lineSettings = v.pipe(
  v.strictObject({
    /** A line must send exactly this in `markerHeader`. */
    marker: v.pipe(
      text,
      v.regex(/^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/, 'must be printable ASCII'),
    ),
    markerHeader: v.optional(v.pipe(headerName, v.minLength(1, 'must not be empty')), DEFAULT_MARKER_HEADER),
    hosts: v.pipe(
      v.array(lineHost, 'must be a list of hosts'),
      v.minLength(1, 'must name at least one host'),
      v.maxLength(MAX_LINES, `must name at most ${MAX_LINES} hosts`),
      v.rawCheck((context) => refuseRepeated(context)),
      // From here on every entry is an object.
      v.transform((entries) => entries.map((entry) => (typeof entry === 'string' ? { host: entry } : entry))),
    ),
    fallback: v.pipe(
      v.array(host, 'must be a list of hosts'),
      v.length(FALLBACK_HOST_COUNT, `must name exactly ${FALLBACK_HOST_COUNT} hosts`),
      v.rawCheck((context) => refuseRepeated(context)),
    ),
    ports: v.optional(v.array(port, 'must be a list of ports'), [...LINE_PORTS]),
    /** Whether visitors who come back are handed the line that they entered last. */
    sticky: v.optional(v.boolean('must be true or false'), false),
    steering: v.optional(v.picklist(['measured', 'uniform'], 'must be "measured" or "uniform"'), 'measured'),
    health: v.optional(health),
    /** Whether pages let the browser load the document of a line before the visitor enters it. */
    prefetch: v.optional(v.picklist(['fastest', 'off'], 'must be "fastest" or "off"'), 'fastest'),
  }),
  v.rawCheck((context) => refuseShared(context)),
);

/** Those who may have a line: these only, or all but these. An empty list means nothing. */
function onlyOrNot<T extends v.GenericSchema<string>>(item: T, message: string) {
  const list = v.optional(v.array(item, message));
  return v.strictObject({ only: list, not: list });
}

export type HealthRule = v.InferOutput<typeof health>;

type NamedHost = string | { readonly host: string };

/** Refuses a host that is named twice: it would fill one row and leave another empty. */
function refuseRepeated<T extends NamedHost[]>({ dataset, addIssue }: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const seen = new Set<string>();
  for (const [key, value] of dataset.value.entries()) {
    const name = nameEntry(value);
    if (seen.has(name)) {
      addIssue({
        message: 'must be a host that is not named before',
        input: value,
        path: [{ type: 'array', origin: 'value', input: dataset.value, key, value }],
      });
    }
    seen.add(name);
  }
}

/** Refuses a fallback host that is also a line: it would fail together with that line. */
function refuseShared<T extends { hosts: NamedHost[]; fallback: NamedHost[] }>({
  dataset,
  addIssue,
}: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const { hosts, fallback } = dataset.value;
  const lines = new Set(hosts.map(nameEntry));
  for (const [key, value] of fallback.entries()) {
    if (!lines.has(nameEntry(value))) continue;
    addIssue({
      message: 'must be a host that is not in lines.hosts',
      input: value,
      path: [
        { type: 'object', origin: 'value', input: dataset.value, key: 'fallback', value: fallback },
        { type: 'array', origin: 'value', input: fallback, key, value },
      ],
    });
  }
}

function nameEntry(entry: NamedHost): string {
  return nameHost(typeof entry === 'string' ? entry : entry.host);
}

function firstMessage(issues: readonly { readonly message: string }[] | undefined): string | undefined {
  return issues?.[0]?.message;
}
