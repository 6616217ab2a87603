import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  API_CODES,
  COMMAND_CODES,
  DESK_CODES,
  LINE_CODES,
  SITE_CODES,
  WARNING_CODES,
} from '../contract/error-codes.ts';
import { DEFAULT_LANGUAGES } from '../contract/site/locales.ts';
import { createSiteConfigSchema } from '../contract/site/site-config.ts';
import { LISTEN_BOUNDS } from '../server/http/listen.ts';
import type { RunningServer } from '../server/main.ts';
import { createMetrics } from '../server/metrics/create-metrics.ts';
import { addProcessMetrics } from '../server/metrics/process-metrics.ts';
import { startTestServer } from '../server/testing/start-test-server.ts';
import { createTestPortal } from '../server/testing/test-portal.ts';
import type { VisitEnv } from '../server/portal/visit.ts';
import { renderNginxConfig } from './build/render-nginx-config.ts';
import { COMMANDS } from './commands.ts';
import { findSection, readDoc, readFirstColumn } from './testing/read-doc.ts';

const OPERATE = await readDoc('operate.md');
const API = await readDoc('api.md');

describe('docs/operate.md', () => {
  test('has every key of site.json, and no other', () => {
    const schema = toJsonSchema(createSiteConfigSchema(DEFAULT_LANGUAGES), {
      typeMode: 'input',
      errorMode: 'ignore',
    });
    const documented = readFirstColumn(findSection(OPERATE, 'Keys of `site.json`'));
    expect(documented.toSorted()).toEqual(listKeys(schema).toSorted());
  });

  test('has every metric, and no other', () => {
    const { registry } = createMetrics();
    addProcessMetrics(registry);
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    const documented = readFirstColumn(findSection(OPERATE, 'What to watch'));
    expect(documented.toSorted()).toEqual(names.toSorted());
  });

  test('has every command', () => {
    const documented = OPERATE.flatMap(({ title }) => /^`waypost (\w+)`$/.exec(title)?.[1] ?? []);
    expect(documented.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
  });

  test.each(Object.entries(COMMANDS))(
    'has every option and variable of waypost %s, and no other',
    async (name, { load }) => {
      const { help } = await load();
      const text = findSection(OPERATE, `\`waypost ${name}\``);
      const documented = [...text.matchAll(/`(--[a-z-]+|[A-Z]+(?:_[A-Z]+)*)`/g)].map(([, found]) => found);
      expect(new Set(documented)).toEqual(listOptions(help));
    },
  );
});

describe('docs/architecture.md', async () => {
  const architecture = await readDoc('architecture.md');
  const filesOf = (text: string): readonly string[] =>
    [...text.matchAll(/`((?:contract|engine|web|console|server|line|cli)\/[\w./-]*)`/g)].map(
      ([, file = '']) => file,
    );

  test('names files and folders that are there', () => {
    const named = architecture.flatMap(({ text }) => filesOf(text));
    const missing = named.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)));
    expect(named.length).toBeGreaterThan(60);
    expect(missing).toEqual([]);
  });

  test('needs at most 15 files for each way through the code, and none twice', () => {
    const ways = architecture.filter(({ title }) => title.startsWith('The way of a '));
    const files = ways
      .filter(({ title }) => title !== 'The way of a visit')
      .map(({ text }) => readFirstColumn(text));
    expect(files).toHaveLength(3);
    for (const way of files) expect(way.length).toBeLessThanOrEqual(15);
    expect(new Set(files.flat()).size).toBe(files.flat().length);
  });
});

describe('docs/errors.md', async () => {
  const errors = await readDoc('errors.md');
  const sections: readonly (readonly [title: string, codes: readonly string[]])[] = [
    ['A site folder', SITE_CODES],
    ['Warnings', WARNING_CODES],
    ['Lines', LINE_CODES],
    ['Commands', COMMAND_CODES],
    ['The API', API_CODES],
    ['The desk', DESK_CODES],
  ];

  test.each(sections)('explains every code, and no other: %s', (title, codes) => {
    expect(readFirstColumn(findSection(errors, title))).toEqual(codes);
  });

  test('explains no code that nothing sends', async () => {
    const files = await readdir(new URL('..', import.meta.url), { recursive: true });
    const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|error-codes\.ts$/.test(file));
    const texts = await Promise.all(
      sources.map((file) => readFile(new URL(`../${file}`, import.meta.url), 'utf8')),
    );
    const all = texts.join('\n');
    const unused = sections.flatMap(([, codes]) => codes).filter((code) => !all.includes(`'${code}'`));
    expect(unused).toEqual([]);
  });
});

describe('docs/security.md', () => {
  test('has the bounds that the listeners hold', async () => {
    expect(LISTEN_BOUNDS).toEqual({
      maxConnections: 4_000,
      maxConnectionsPerAddress: 400,
      maxOpenRequests: 16,
      maxOpenRequestsOfAll: 1_000,
      maxUntakenBytes: 1_000_000,
      maxUrlChars: 2_048,
      maxHeaderBytes: 16_384,
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 15_000,
      idleTimeoutMs: 65_000,
      closingGraceMs: 1_000,
    });
    const text = findSection(await readDoc('security.md'), 'What a client may hold');
    const documented = [...text.matchAll(/\| ([\d,]+)(?: (\w+))? +\|$/gm)].map(([, number, unit = '']) =>
      `${number} ${unit}`.trim(),
    );
    expect(documented).toEqual([
      '4,000',
      '400',
      '16',
      '1,000',
      '1,000,000 bytes',
      '1,200',
      '2,048 characters',
      '16,384 bytes',
      '8,192 characters',
      '10 s',
      '15 s',
      '65 s',
    ]);
  });
});

test('deploy/portal/compose.yaml trusts the address of its nginx, and no other', async () => {
  const compose = await readFile(new URL('../../deploy/portal/compose.yaml', import.meta.url), 'utf8');
  const [, trusted] = /"trustedProxies": \[(.*)\]/.exec(compose) ?? [];
  const [, nginx] = /image: nginx[^]*?ipv4_address: (\S+)/.exec(compose) ?? [];
  expect(trusted).toBe(`"${nginx}/32"`);
});

describe('the shipped nginx configs', () => {
  test.each([
    [
      'deploy/portal/nginx.conf',
      () => readFile(new URL('../../deploy/portal/nginx.conf', import.meta.url), 'utf8'),
    ],
    ['that of waypost build', async () => renderNginxConfig([], '')],
  ])('hold the bounds that docs/security.md states: %s', async (_name, read) => {
    const config = await read();
    for (const directive of [
      /rate=200r\/s;/,
      /limit_req zone=\w+ burst=1000 nodelay;/,
      /limit_conn \w+ 400;/,
      /client_header_timeout 10s;/,
      /client_body_timeout 10s;/,
      /send_timeout 20s;/,
    ]) {
      expect(config).toMatch(directive);
    }
    const text = findSection(await readDoc('security.md'), 'What a client may hold');
    expect(text).toContain('200 requests a second, 1,000 more at once, and 400 open ones');
    expect(text).toContain('10 s between two bytes of what it sends, and 20 s between two that it takes');
  });
});

describe('docs/api.md', () => {
  let dir: string;
  let server: RunningServer;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-docs-'));
    server = await startTestServer({ dataDir: dir });
  });

  afterAll(async () => {
    await server.close();
    await rm(dir, { recursive: true });
  });

  test('has every route of the portal', async () => {
    const { app } = await createTestPortal();
    const documented = API.flatMap(({ title }) => /^`((?:GET|POST) \/\S*)`$/.exec(title)?.[1] ?? []);
    expect(documented).toEqual(expect.arrayContaining([...listRoutes(app)]));
  });

  test.each(listExamples())('%s answers as its example says', async (_title, commands, expected) => {
    const script = commands
      .replaceAll('localhost:8080', `localhost:${new URL(server.url).port}`)
      .replaceAll('http://127.0.0.1:8081', server.opsUrl)
      .replaceAll('curl ', 'curl -sS ');
    const { stdout } = await promisify(execFile)('bash', ['-euc', script]);
    expect(stdout.replaceAll('\r', '')).toMatch(expected);
  });
});

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
};

/** The paths of all that can be written into a file: `a.b`, `a[].b` in a list, `a.*.b` under any name. */
function listKeys(schema: unknown): readonly string[] {
  const keys = new Set<string>();
  addKeys(schema as JsonSchema, '', keys); // What the converter returns.
  return [...keys];
}

function addKeys(schema: JsonSchema, path: string, keys: Set<string>): void {
  const { properties, additionalProperties, items, anyOf, oneOf } = schema;
  for (const [key, part] of Object.entries(properties ?? {}))
    addKeys(part, path ? `${path}.${key}` : key, keys);
  for (const part of anyOf ?? oneOf ?? []) addKeys(part, path, keys);
  if (items) addKeys(items, `${path}[]`, keys);
  const isRecord = typeof additionalProperties === 'object';
  if (isRecord) addKeys(additionalProperties, `${path}.*`, keys);
  // A list, and texts under any name, are written about as a whole: their items have no name of their own.
  const isItem = /(?:\.\*|\[\])$/.test(path);
  const hasNamedParts = [...keys].some((key) => key.startsWith(`${path}.`));
  if (!isItem && properties === undefined && !(isRecord && hasNamedParts)) keys.add(path);
}

function listOptions(help: string): ReadonlySet<string> {
  const flags = [...help.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
  const variables = [...help.matchAll(/\b(?:WAYPOST_[A-Z_]+|(?:OPS_|PREVIEW_)?(?:HOST|PORT))\b/g)].map(
    ([name]) => name,
  );
  return new Set([...flags, ...variables.filter((name) => !help.includes(`[--port ${name}`))]);
}

function listRoutes({ routes }: Hono<VisitEnv>): ReadonlySet<string> {
  const named = routes.filter(({ method, path }) => method !== 'ALL' && path !== '/*');
  return new Set(named.map(({ method, path }) => `${method} ${path}`));
}

/** Each block of commands, with what the block below it says about the output. */
function listExamples(): readonly (readonly [title: string, commands: string, expected: RegExp])[] {
  const example = /```sh\n(.*?)```\s*```\n(.*?)```/gs;
  return API.flatMap(({ title, text }) =>
    [...text.matchAll(example)].map(
      ([, commands = '', output = '']) => [title, commands, toPattern(output)] as const,
    ),
  );
}

/** The lines of an output in their order, with anything between them. */
function toPattern(output: string): RegExp {
  const lines = output.trimEnd().split('\n');
  const escaped = lines.map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*'));
  // In any case: that is how HTTP reads the names of headers.
  return new RegExp(escaped.map((line) => `^${line}$`).join('[^]*'), 'mi');
}
