import * as v from 'valibot';
import { DEFAULT_MARKER_HEADER } from '../api/headers.ts';
import { FALLBACK_HOST_COUNT, LINE_PORTS, MAX_LINES, SPEED_CHECK_TIMEOUT_MS } from '../limits.ts';
import { must, writeRule } from '../faults/site-fault.ts';
import { explainHost } from './explain-host.ts';
import { nameHost, parseHost } from './parse-host.ts';
import {
  choice,
  createPath,
  headerName,
  maintenanceWith,
  port,
  region,
  text,
  wholeNumber,
} from './site-values.ts';

const host = v.pipe(
  v.string(must('host')),
  v.check(
    (entry) => parseHost(entry).kind === 'host',
    ({ input }) => writeRule(explainHost(input)),
  ),
);
/** The server checks ranges more closely, see `find-config-faults.ts`. */
const network = v.pipe(
  v.string(must('network')),
  v.regex(/^(?:AS[1-9]\d{0,9}|[\da-fA-F:.]+(?:\/\d{1,3})?)$/, must('network')),
);
const lineHost = v.union(
  [
    host,
    v.strictObject({
      host,
      noWWW: v.optional(v.boolean(must('boolean'))),
      weight: v.optional(v.pipe(v.number(must('number-above-0')), v.gtValue(0, must('number-above-0')))),
      /** Meanwhile it is handed to nobody. */
      maintenance: v.optional(maintenanceWith({ reason: text })),
      /** Nobody new is handed it. */
      drain: v.optional(v.boolean(must('boolean'))),
      /** Whose visitors may be handed it. */
      countries: v.optional(onlyOrNot(region, '["SG"]')),
      networks: v.optional(onlyOrNot(network, '["AS64500", "203.0.113.0/24"]')),
    }),
  ],
  ({ issues }) => issues?.[0]?.message ?? must('line-entry'),
);

/** How the server finds out whether the application of a line is alive, beside the speed check. */
const health = v.strictObject({
  path: v.pipe(
    v.string(must('path')),
    v.regex(/^\/[\u0021-\u007e]*$/, must('path')),
    v.check((path) => !path.startsWith('//') && !path.includes('#'), must('path')),
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
            value: v.union([v.string(), v.number(), v.boolean(), v.null()], must('json-value')),
          }),
        ),
      }),
      v.check(
        ({ text: contained, json }) => contained === undefined || json === undefined,
        must('text-or-json'),
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
    marker: v.pipe(text, v.regex(/^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/, must('ascii'))),
    markerHeader: v.optional(v.pipe(headerName, v.minLength(1, must('not-empty'))), DEFAULT_MARKER_HEADER),
    hosts: v.pipe(
      v.array(lineHost, must('list', { example: '["line1.example"]' })),
      v.minLength(1, must('at-least-one', { of: 'host' })),
      v.maxLength(MAX_LINES, must('at-most', { most: MAX_LINES, of: 'host' })),
      v.rawCheck((context) => refuseRepeated(context)),
      // From here on every entry is an object.
      v.transform((entries) => entries.map((entry) => (typeof entry === 'string' ? { host: entry } : entry))),
    ),
    fallback: v.pipe(
      v.array(host, must('list', { example: '["line1.example"]' })),
      v.length(FALLBACK_HOST_COUNT, must('exactly', { most: FALLBACK_HOST_COUNT, of: 'host' })),
      v.rawCheck((context) => refuseRepeated(context)),
    ),
    ports: v.optional(v.array(port, must('list', { example: '[9900, 5569]' })), [...LINE_PORTS]),
    /** Whether visitors who come back are handed the line that they entered last. */
    sticky: v.optional(v.boolean(must('boolean')), false),
    steering: v.optional(choice(['measured', 'uniform']), 'measured'),
    health: v.optional(health),
    /** Whether pages let the browser load the document of a line before the visitor enters it. */
    prefetch: v.optional(choice(['fastest', 'off']), 'fastest'),
  }),
  v.rawCheck((context) => refuseShared(context)),
);

/** Who may get a line: only these, or all except these. An empty list has no effect. */
function onlyOrNot<T extends v.GenericSchema<string>>(item: T, example: string) {
  const list = v.optional(v.array(item, must('list', { example })));
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
      addIssue({ message: must('twice'), input: value, path: createPath([key], dataset.value) });
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
      message: must('not-a-line'),
      input: value,
      path: createPath(['fallback', key], dataset.value),
    });
  }
}

function nameEntry(entry: NamedHost): string {
  return nameHost(typeof entry === 'string' ? entry : entry.host);
}
