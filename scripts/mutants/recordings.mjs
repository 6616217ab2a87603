const STORE = ['src/server/recordings/recording-store.test.ts'];
const KEEPER = ['src/server/recordings/keep-recordings.test.ts'];
const MESSAGE = ['src/server/recordings/read-message.test.ts'];
const INTAKE = ['src/server/portal/intake.test.ts'];
const ROUTES = ['src/server/operator/console/recording-routes.test.ts'];

/** What the portal takes of recordings, keeps, and erases. */
export const RECORDING_MUTANTS = [
  {
    file: 'src/server/recordings/frames.ts',
    find: ' || crc32(rest) !== head.readUInt32LE(4)',
    replace: '',
    tests: STORE,
    loses: 'A frame that was written in part is read.',
  },
  {
    file: 'src/server/recordings/recording-store.ts',
    find: 'if (whole < size) await file.truncate(whole);',
    replace: '',
    tests: STORE,
    loses: 'The rest of a torn frame stays in the file.',
  },
  {
    file: 'src/server/recordings/recording-store.ts',
    find: 'await file.truncate(position);',
    replace: '',
    tests: STORE,
    loses: 'What a full disk took of a batch stays in the file, and comes again with the next try.',
  },
  {
    file: 'src/server/recordings/read-message.ts',
    find: 'Math.min(INTAKE_MESSAGE_BYTES, INTAKE_MAX_RATIO * packed.length)',
    replace: 'INTAKE_MESSAGE_BYTES',
    tests: MESSAGE,
    loses: 'A small message may unpack to a large one.',
  },
  {
    file: 'src/server/recordings/write-queue.ts',
    find: 'putBack(key, file);',
    replace: '',
    tests: KEEPER,
    loses: 'What a full disk did not take is lost.',
  },
  {
    file: 'src/server/recordings/keep-recordings.ts',
    find: 'queue.drop((file) => file.session === session);',
    replace: '',
    tests: KEEPER,
    loses: 'A session that was erased is written afterwards.',
  },
  {
    file: 'src/server/recordings/keep-recordings.ts',
    find: "if (erased.has(session)) return 'session-closed';",
    replace: '',
    tests: KEEPER,
    loses: 'The open page of an erased session fills it again.',
  },
  {
    file: 'src/server/recordings/keep-recordings.ts',
    find: 'await inTurn(erased.save);',
    replace: '',
    tests: KEEPER,
    loses: 'After a restart, the open page of an erased session fills it again.',
  },
  {
    file: 'src/server/recordings/keep-recordings.ts',
    find: 'if (erased.isLoaded()) await queue.flush();',
    replace: 'await queue.flush();',
    tests: KEEPER,
    loses: 'What pages send of erased sessions is written while the list of these cannot be read.',
  },
  {
    file: 'src/server/recordings/keep-recordings.ts',
    find: "if (entry !== undefined && hasMessage(entry, label)) return 'duplicate';",
    replace: '',
    tests: KEEPER,
    loses: 'A message that comes twice is kept twice.',
  },
  {
    file: 'src/server/recordings/keep-recordings.ts',
    find: 'await removeBeyond(keepBytes);',
    replace: '',
    tests: KEEPER,
    loses: 'Recordings fill the disk.',
  },
  {
    file: 'src/server/recordings/keep-recordings.ts',
    find: 'await removeDaysBefore(dayOf(oldest));',
    replace: '',
    tests: KEEPER,
    loses: 'Recordings are kept for ever.',
  },
  {
    file: 'src/server/recordings/session-entry.ts',
    find: 'Math.max(newest?.sessionStartedAt ?? firstAt, firstAt - SESSION_MAX_MS)',
    replace: '(newest?.sessionStartedAt ?? firstAt)',
    tests: KEEPER,
    loses: 'A clock that is wrong by years hides a session at the end of the list.',
  },
  {
    file: 'src/server/portal/answer-intake.ts',
    find: 'if (isRestricted(visit)) refuseRegion();',
    replace: '',
    tests: INTAKE,
    loses: 'Visitors of restricted regions are recorded.',
  },
  {
    file: 'src/server/portal/answer-intake.ts',
    find: "network: visitor.address === undefined ? '' : area,",
    replace: 'network: area,',
    tests: INTAKE,
    loses: 'The network of our own proxy passes for the visitor’s.',
  },
  {
    file: 'src/server/operator/console/recording-routes.ts',
    find: 'if (last !== undefined && now() - last < WATCH_MS) return false;',
    replace: '',
    tests: ROUTES,
    loses: 'Each view of a session is written into the audit log.',
  },
  // The player
  {
    file: 'src/console/player/clean-events.ts',
    find: 'if (!FORBIDDEN_TAGS.has(tagName.toLowerCase())) return element;',
    replace: 'if (!FORBIDDEN_TAGS.has(tagName)) return element;',
    tests: ['src/console/player/clean-events.test.ts'],
    loses: 'A recording loads a script whose name is written in capitals.',
  },
  {
    file: 'src/console/player/clean-events.ts',
    find: 'value.startsWith(`${origin}${IMAGES}`)',
    replace: 'value.startsWith(origin)',
    tests: ['src/console/player/clean-events.test.ts'],
    loses: 'An image of a recording asks the console’s own calls.',
  },
  {
    file: 'src/server/operator/console/player-routes.ts',
    find: "'img-src': [`${origin}${SITE_IMAGE_PREFIX}`, 'data:'],",
    replace: "'img-src': [\"'self'\", 'data:'],",
    tests: ['src/server/operator/console/player-routes.test.ts'],
    loses: 'A style of a recording asks the console’s own calls.',
  },
  {
    file: 'src/web/watching/monitoring/replay/start-masked-recorder.ts',
    find: 'return TEXT_ATTRIBUTE.test(name) ? hide(value) : value;',
    replace: 'return value;',
    tests: ['src/web/watching/monitoring/replay/start-masked-recorder.test.ts'],
    loses: 'What pictures and fields are called is in replays without text.',
  },
];
