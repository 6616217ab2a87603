// Holds what visitors load to the oldest browsers that docs/browsers.md names: Chrome 86, Firefox 78 and Safari 14.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { ROOT } from './run.mjs';

/** All three know it. Firefox 78 lacks some of ES2021 (`??=`), and Safari 14 some of ES2022 (class fields). */
const ECMA_VERSION = 2020;

const WEB = 'dist/web';
const PLAIN_SCRIPTS = [
  'redirect/redirect.js',
  'start/start.js',
  'counts/counts.js',
  'type-redirect/type-redirect.js',
  'offline-worker/offline-worker.js',
  'offline-note/offline-note.js',
  'stay/stay.js',
  'stay-worker/stay-worker.js',
];
const STYLES = ['client/landing.css', 'type-redirect-style/type-redirect-style.css'];

/** What one of the three lacks. What is not listed here, no script of ours uses. */
const NEWER_GLOBALS = new Set(
  `AggregateError FinalizationRegistry WeakRef structuredClone reportError BroadcastChannel CompressionStream
   DecompressionStream ClipboardItem requestIdleCallback cancelIdleCallback scheduler navigation URLPattern
   CloseWatcher`.split(/\s+/),
);
const NEWER_METHODS = new Set(
  `at findLast findLastIndex toSorted toReversed toSpliced hasOwn
   groupBy withResolvers fromAsync isWellFormed toWellFormed throwIfAborted canParse
   randomUUID pipeThrough pipeTo showModal showPopover checkVisibility timeOrigin
   adoptedStyleSheets startViewTransition`.split(/\s+/),
);
/** Members whose name alone says too little. */
const NEWER_STATICS = new Set([
  'AbortSignal.any',
  'AbortSignal.timeout',
  'Promise.any',
  'Promise.try',
  'URL.parse',
]);

/** Where a newer name may stand, because the script asks for it first. */
const GUARDED = [
  { file: /^main-/, names: ['requestIdleCallback'], why: 'when-usable.ts asks with "in"' },
  { file: /^show-page-/, names: ['showModal'], why: 'unproven-line.tsx asks with "in"' },
  { file: /^show-page-/, names: ['reportError', 'navigation', 'startViewTransition'], why: 'React asks' },
  { file: /^compressor/, names: ['CompressionStream', 'pipeThrough'], why: 'the worker asks with "in"' },
  { file: /^start-recorder-/, names: ['adoptedStyleSheets'], why: 'rrweb asks' },
];

/** Each breaks a rule of a style sheet where it is not known. What only looks plainer without it is not listed. */
const NEWER_STYLES = [
  [/(?<![\w(-])inset(?:-(?:inline|block)[\w-]*)?:/, 'inset'],
  [/(?<![\w-])(?:margin|padding)-(?:inline|block):/, 'the shorthands of logical margins and paddings'],
  [/border-(?:start|end)-(?:start|end)-radius:/, 'logical corners'],
  [/(?<![\w-])(?:translate|scale|rotate):/, 'single transforms'],
  [/aspect-ratio:/, 'aspect-ratio'],
  [/:(?:is|where|has|dir)\(/, ':is(), :where(), :has() and :dir()'],
  [/@(?:layer|container|scope|starting-style)/, 'layers, containers and scopes'],
  [/(?:color-mix|oklch|light-dark)\(/, 'new colours'],
];

const assets = (part) =>
  readdirSync(join(ROOT, WEB, part, 'assets'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => `${part}/assets/${file}`);
const visitorScripts = [...PLAIN_SCRIPTS, ...assets('client')];
const faults = [
  ...visitorScripts.flatMap((file) => findScriptFaults(file, findNewerNames)),
  // Operators have a newer browser, but they must be able to read what it says.
  ...assets('console').flatMap((file) => findScriptFaults(file, () => [])),
  ...STYLES.flatMap(findStyleFaults),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function findScriptFaults(file, findMore) {
  const script = readFileSync(join(ROOT, WEB, file), 'utf8');
  try {
    const sourceType = PLAIN_SCRIPTS.includes(file) ? 'script' : 'module';
    const tree = parse(script, { ecmaVersion: ECMA_VERSION, sourceType });
    return [...findNewerSyntax(tree), ...findMore(tree, basename(file))].map(
      (what) => `${file}: uses ${what}`,
    );
  } catch (error) {
    const { pos } = error;
    return [`${file}: is not ES${ECMA_VERSION}: ${error.message}: ${script.slice(pos - 40, pos + 40)}`];
  }
}

/** What is ES2020, and yet one of the three cannot run it. */
function findNewerSyntax(tree) {
  const found = new Set();
  full(tree, (node) => {
    if (node.type === 'Literal' && /\(\?<[=!]/.test(node.regex?.pattern ?? ''))
      found.add(`the lookbehind /${node.regex.pattern}/, which Safari before 16.4 cannot parse`);
    if (node.type === 'CallExpression' && node.optional && hasSpread(node))
      found.add('a spread in an optional call, about which Chrome before 91 is wrong');
  });
  return found;
}

function hasSpread(call) {
  return call.arguments.some(({ type }) => type === 'SpreadElement');
}

function findNewerNames(tree, file) {
  const allowed = new Set(GUARDED.filter((guard) => guard.file.test(file)).flatMap(({ names }) => names));
  const found = new Set();
  full(tree, (node) => {
    // Names of variables are short in built files, so a global's name is that global.
    if (node.type === 'Identifier' && NEWER_GLOBALS.has(node.name)) found.add(node.name);
    if (node.type !== 'MemberExpression' || node.computed) return;
    const { object, property } = node;
    if (NEWER_GLOBALS.has(property.name) || NEWER_METHODS.has(property.name)) found.add(property.name);
    if (NEWER_STATICS.has(`${object.name}.${property.name}`)) found.add(`${object.name}.${property.name}`);
  });
  return [...found]
    .filter((name) => !allowed.has(name))
    .map(
      (name) => `${name}, which is newer than our oldest browsers; ask for it first, and list it in GUARDED`,
    );
}

function findStyleFaults(file) {
  const style = readFileSync(join(ROOT, WEB, file), 'utf8');
  return NEWER_STYLES.filter(([pattern]) => pattern.test(style)).map(
    ([, what]) => `${file}: uses ${what}, which is newer than our oldest browsers`,
  );
}
