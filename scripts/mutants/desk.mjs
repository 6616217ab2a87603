const DESK = ['src/server/desk/create-desk.test.ts'];
const SOURCE = ['src/server/desk/create-version-source.test.ts'];
const UPLOAD = ['src/server/desk/check-upload.test.ts'];
const REQUEST = ['src/line/request-line.test.ts'];
const EXCHANGE = ['src/server/desk/exchange-versions.test.ts'];

/** What the desk keeps, lets through and refuses. */
export const DESK_MUTANTS = [
  // Versions
  {
    file: 'src/server/desk/version-store.ts',
    find: 'await write(join(dir, POINTER), Buffer.from(`${version.number}\\n`));',
    replace: '',
    tests: DESK,
    title: 'not made current',
    loses: 'What is live is decided by what lies in the folder, and not by the pointer.',
  },
  {
    file: 'src/server/desk/object-store.ts',
    find: 'return hashBytes(bytes) === hash ? bytes : refuse(hash, undefined);',
    replace: 'return bytes;',
    tests: DESK,
    title: 'the last good version is served',
    loses: 'A file that the disk has changed is served.',
  },
  {
    file: 'src/server/desk/version-store.ts',
    find: 'numbers.has(number) || ',
    replace: '',
    tests: DESK,
    title: 'is removed beyond 200 versions',
    loses: 'The version that a draft is based on is removed, and the draft is lost.',
  },
  {
    file: 'src/server/desk/hold-desk.ts',
    find: 'if (await isHeld(path)) refuseSecond(dir);',
    replace: '',
    tests: ['src/server/desk/hold-desk.test.ts'],
    loses: 'Two portals write to one data folder.',
  },

  // Publishing
  {
    file: 'src/server/desk/create-desk.ts',
    find: 'basedOn !== current || draft.basedOn !== current',
    replace: 'basedOn !== current',
    tests: DESK,
    title: 'if somebody else published meanwhile',
    loses: 'A draft undoes what somebody else has published.',
  },
  {
    file: 'src/server/desk/create-desk.ts',
    find: 'drafts.get(draft.owner) !== draft',
    replace: 'false',
    tests: DESK,
    title: 'draft changes meanwhile',
    loses: 'A change that is made while the draft is published is lost.',
  },
  {
    file: 'src/server/desk/create-desk.ts',
    find: 'checkOwner(person, loaded.site.config);',
    replace: '',
    tests: DESK,
    title: 'owner only',
    loses: 'An editor can send visitors’ sessions elsewhere, or open restricted regions.',
  },
  {
    file: 'src/contract/desk/desk.ts',
    find: ", 'compliance'] as const",
    replace: '] as const',
    tests: DESK,
    title: 'compliance is changed',
    loses: 'An editor can change the licence and the restricted regions.',
  },
  {
    file: 'src/server/desk/create-version-source.ts',
    find: 'known.version === number',
    replace: 'true',
    tests: SOURCE,
    title: 'becomes a draft',
    loses: 'A change of the site folder undoes what was published in the console.',
  },
  {
    file: 'src/server/desk/merge-files.ts',
    find: 'if (!isDeepStrictEqual(is, was)) return undefined;',
    replace: '',
    tests: ['src/server/desk/merge-files.test.ts'],
    loses: 'Of two people who changed one line, one loses the change without a word.',
  },

  // What comes from outside
  {
    file: 'src/server/desk/check-upload.ts',
    find: 'const PATH = /^[\\w-][\\w.-]*(?:\\/[\\w-][\\w.-]*)*$/;',
    replace: 'const PATH = /^[\\w.-]+(?:\\/[\\w.-]+)*$/;',
    tests: UPLOAD,
    title: 'cannot be',
    loses: 'A path climbs out of the folder of an export.',
  },
  {
    file: 'src/server/desk/check-upload.ts',
    find: "if (attribute.startsWith('on'))",
    replace: 'if (false)',
    tests: UPLOAD,
    title: 'cannot hold',
    loses: 'An image runs a script.',
  },
  {
    file: 'src/server/desk/check-upload.ts',
    find: 'uri === XHTML || ',
    replace: '',
    tests: UPLOAD,
    title: 'cannot hold',
    loses: 'An image holds a piece of a page.',
  },
  {
    file: 'src/server/site/read-json.ts',
    find: 'const MAX_DEPTH = 64;',
    replace: 'const MAX_DEPTH = 64_000_000;',
    tests: UPLOAD,
    title: 'nested a million deep',
    loses: 'A JSON bomb ends the process.',
  },
  {
    file: 'src/line/is-public-address.ts',
    find: "  '169.254.0.0/16',\n",
    replace: '',
    tests: ['src/line/is-public-address.test.ts'],
    loses: 'An editor reads the secrets of the cloud machine that the portal runs on.',
  },
  {
    file: 'src/line/request-line.ts',
    find: '!addresses.every(isAllowed)',
    replace: '!addresses.some(isAllowed)',
    tests: REQUEST,
    title: 'connects if every address',
    loses: 'A name with a public and a private address reaches the private one.',
  },
  {
    file: 'src/line/request-line.ts',
    find: 'isIP(hostname) !== 0 && !isAllowed(hostname)',
    replace: 'false',
    tests: REQUEST,
    title: 'does not connect to',
    loses: 'The check of a draft asks private addresses that are written as numbers.',
  },

  // Replicas
  {
    file: 'src/server/redis/shared-record.ts',
    find: "if head ~= ARGV[1] then return 'moved' end",
    replace: '',
    tests: EXCHANGE,
    title: 'who publish at the same moment',
    loses: 'Of two who publish at the same moment, one undoes what the other did, and nobody sees it.',
  },
  {
    file: 'src/server/redis/shared-record.ts',
    find: 'if (bytes !== undefined && hashOf(bytes) === hash) return bytes;',
    replace: 'if (bytes !== undefined) return bytes;',
    tests: EXCHANGE,
    title: 'in Redis is never served',
    loses: 'A file that was changed in Redis is served.',
  },
  {
    file: 'src/server/desk/shared-versions.ts',
    find: ' && paths.every(isInsideFolder)',
    replace: '',
    tests: EXCHANGE,
    title: 'a path out of the folder',
    loses: 'Whoever can write to Redis can write to any file of whoever exports the version.',
  },
  {
    file: 'src/server/desk/exchange-versions.ts',
    find: 'isSameNumberTwice(theirs, own) ? await settle(theirs) : theirs',
    replace: 'theirs',
    tests: EXCHANGE,
    title: 'loses none',
    loses: 'A version is overwritten by another one with the same number.',
  },
];
