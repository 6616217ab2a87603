// Checks the imports inside each part: a room, and its tests, may import only the rooms below it in its list.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './run.mjs';

/** Top to bottom. A file that stands directly in its part is a room of its own, at the top, unless it is listed. */
const ROOMS = {
  'src/contract': [
    'moments.ts',
    'describe-advice.ts',
    'describe-incident.ts',
    'describe-detail.ts',
    'texts',
    'console.ts',
    'uptime.ts',
    'desk',
    'people.ts',
    'recordings.ts',
    'intake-message.ts',
    'visit-events.ts',
    'campaigns.ts',
    'visitors.ts',
    'page',
    'site',
    'incidents.ts',
    'faults',
    'line',
    'api',
    'paths.ts',
    'limits.ts',
    'write-duration.ts',
    'write-day.ts',
    'escape-html.ts',
    'time-units.ts',
    'roles.ts',
    'console-language.ts',
    'write-range.ts',
    'error-codes.ts',
    'create-limit.ts',
    'create-store.ts',
    'without-queries.ts',
  ],
  'src/engine': ['redirect', 'board', 'portal', 'probe', 'line', 'effects'],
  'src/web': [
    'type-redirect',
    'redirect',
    'landing',
    'offline',
    'stay',
    'watching',
    'kit/page',
    'kit/consent',
    'kit/start',
    'kit/document',
    'kit/texts',
    'kit/theme',
    'kit',
  ],
  'src/console': [
    'overview',
    'history',
    'line',
    'lines',
    'where',
    'why',
    'campaigns',
    'visitors',
    'incidents',
    'sessions',
    'player',
    'people',
    'desk',
    'desk/parts',
    'desk/fields',
    'desk/locale',
    'desk/store',
    'past',
    'parts',
    'format',
    'live',
    'locale',
    'route.ts',
  ],
  'src/server': [
    'operator',
    'people',
    'preview',
    'portal',
    'desk',
    'recordings',
    'uptime',
    'incidents',
    'messages',
    'visitors',
    'moments',
    'lines',
    'learning',
    'site',
    'http',
    'caller',
    'metrics',
    'store',
    'process',
  ],
};

const faults = Object.entries(ROOMS).flatMap(([part, rooms]) => findUpwardImports(part, rooms));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function findUpwardImports(part, rooms) {
  // Of two rooms, one in the other, a file belongs to the inner one.
  const place = (file) => {
    const [room] = rooms
      .filter((name) => file === name || file.startsWith(`${name}/`))
      .toSorted((one, other) => other.length - one.length);
    return room === undefined ? undefined : rooms.indexOf(room);
  };
  return listSources(join(ROOT, part)).flatMap((path) => {
    const file = relative(join(ROOT, part), path);
    const own = place(file);
    if (own === undefined) return []; // At the top.
    const text = readFileSync(path, 'utf8');
    return [...text.matchAll(/(?:from|import\() ?'(\.[^'?]+)/g)].flatMap(([, specifier]) => {
      const target = relative(join(ROOT, part), join(dirname(path), specifier));
      if (target.startsWith('..')) return []; // Another part: the type check decides about it.
      if (isForTests(target) && isForTests(file)) return [];
      const room = place(target);
      const isUpward = room === undefined || room < own;
      return isUpward ? [`${part}/${file}: imports ${target}, which stands above it`] : [];
    });
  });
}

function isForTests(file) {
  return /\.test\.tsx?$|(?:^|\/)testing\//.test(file);
}

/** The sources and tests of a part, without what only tests use: that may import everything. */
function listSources(dir) {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/(?:^|\/)testing\//.test(file))
    .map((file) => join(dir, file));
}
