const API = ['src/server/routes/api.test.ts'];

/** What the portal believes, hands out, counts and refuses. */
export const SERVER_MUTANTS = [
  // Who is calling
  {
    file: 'src/server/caller/find-caller.ts',
    find: 'if (!rules.proxies.has(peer)) return { address: peer, isProxied: false };',
    replace: '',
    tests: ['src/server/caller/find-caller.test.ts'],
    loses: 'Anybody can claim another’s address.',
  },
  {
    file: 'src/server/caller/caller-tokens.ts',
    find: 'expiresAt > now() && ',
    replace: '',
    tests: API,
    title: 'believes no address',
    loses: 'A proof of an address is good for ever.',
  },
  {
    file: 'src/server/caller/caller-tokens.ts',
    find: 'CALLER_TOKEN_LIFE_MS = 600_000',
    replace: 'CALLER_TOKEN_LIFE_MS = 6_000_000',
    tests: API,
    title: 'believes no address',
    loses: 'Proofs can be collected for over an hour.',
  },
  {
    file: 'src/server/signer.ts',
    find: 'computeHmac(`${purpose}\\n${text}`)',
    replace: 'computeHmac(text)',
    tests: ['src/server/signer.test.ts'],
    loses: 'A signature for one purpose is good for another.',
  },

  // Regions
  {
    file: 'src/server/routes/answer-hostnames.ts',
    find: ' || (caller !== visit.caller && isRestricted({ ...visit, caller }))',
    replace: '',
    tests: API,
    title: 'restricted region',
    loses: 'A restricted visitor gets lines by a call through an address that is not.',
  },
  {
    file: 'src/server/routes/answer-json-file.ts',
    find: 'if (isRestricted(visit)) throw refuseRegion();',
    replace: '',
    tests: ['src/server/app.test.ts', 'src/server/routes/api.test.ts', 'src/server/routes/pages.test.ts'],
    loses: 'A restricted region gets the addresses of /t.',
  },
  {
    file: 'src/server/caller/region-rules.ts',
    find: "caller.isProxied && countryHeader !== ''",
    replace: "countryHeader !== ''",
    tests: ['src/server/caller/region-rules.test.ts'],
    loses: 'Visitors can write their own country into a header.',
  },

  // Tickets and reports
  {
    file: 'src/contract/limits.ts',
    find: 'TICKET_LIFE_MS = 600_000',
    replace: 'TICKET_LIFE_MS = 6_000_000',
    tests: API,
    title: 'ten minutes',
    loses: 'Tickets can be hoarded for over an hour, and spent at once.',
  },
  {
    file: 'src/server/routes/answer-measurements.ts',
    find: "if (!spentTickets.spend(reading.signature)) throw refuse('ticket-spent');",
    replace: '',
    tests: API,
    title: 'once for each ticket',
    loses: 'One ticket reports as often as it likes.',
  },
  {
    file: 'src/server/measurements/tickets.ts',
    find: "!isWhole || !signer.verify('ticket', text, signature)",
    replace: '!isWhole',
    tests: API,
    title: 'refuses what is no report',
    loses: 'Anybody can make tickets.',
  },
  {
    file: 'src/server/create-portal.ts',
    find: 'REPORT_WINDOW_MS = 300_000',
    replace: 'REPORT_WINDOW_MS = 3_600_000',
    tests: API,
    title: 'five minutes',
    loses: 'A busy network is heard once an hour.',
  },
  {
    file: 'src/contract/site-config.ts',
    find: 'reportsPerNetwork: v.optional(count, 10)',
    replace: 'reportsPerNetwork: v.optional(count, 100)',
    tests: ['src/contract/site-config.test.ts'],
    loses: 'One network can outvote the others.',
  },
  {
    file: 'src/server/routes/answer-hostnames.ts',
    find: 'NETWORK_PARTS = { ipv4: 3, ipv6: 3 }',
    replace: 'NETWORK_PARTS = { ipv4: 4, ipv6: 4 }',
    tests: API,
    title: 'believes an address',
    loses: 'Reports are limited by single addresses, of which anybody has many.',
  },
  {
    file: 'src/server/measurements/count-report.ts',
    find: 'SHORTEST_MS = 20',
    replace: 'SHORTEST_MS = 1',
    tests: ['src/server/measurements/count-report.test.ts'],
    loses: 'A forged time of 1 ms makes a line the favourite.',
  },
  {
    file: 'src/server/measurements/count-report.ts',
    find: 'OPEN_TENTHS = 3',
    replace: 'OPEN_TENTHS = 0',
    tests: ['src/server/measurements/count-report.test.ts'],
    loses: 'The loser of every race looks healthy.',
  },

  // What is learned, and what is handed out
  {
    file: 'src/server/steering/find-area.ts',
    find: 'system === undefined ?',
    replace: 'system !== 0 ?',
    tests: API,
    title: 'autonomous system',
    loses: 'What a network teaches is not known to the rest of its autonomous system.',
  },
  {
    file: 'src/server/steering/find-area.ts',
    find: 'NETWORK_PARTS = { ipv4: 2, ipv6: 2 }',
    replace: 'NETWORK_PARTS = { ipv4: 3, ipv6: 3 }',
    tests: API,
    title: 'autonomous system',
    loses: 'Areas are so small that nothing is ever learned of them.',
  },
  {
    file: 'src/server/steering/create-steering.ts',
    find: "mode === 'uniform'",
    replace: "mode !== 'measured' && lines.length < 0",
    tests: ['src/server/routes/steered-hostnames.test.ts'],
    loses: 'An operator who asked for equal shares gets steering.',
  },
  {
    file: 'src/server/steering/draw-lines.ts',
    find: ' / (weights[line] ?? 1)',
    replace: '',
    tests: ['src/server/routes/steered-hostnames.test.ts'],
    loses: 'The weight of a line means nothing in a uniform draw.',
  },
  {
    file: 'src/server/site/line-table.ts',
    find: '    weight,\n  };',
    replace: '    weight: 1,\n  };',
    tests: ['src/server/routes/steered-hostnames.test.ts'],
    loses: 'The weight of a line in the site folder means nothing.',
  },
  {
    file: 'src/server/steering/effective-time.ts',
    find: 'SHARE_LIMIT * (weights[line] ?? 0)',
    replace: 'SHARE_LIMIT / shares.length',
    tests: ['src/server/routes/steered-hostnames.test.ts'],
    loses: 'A line of weight 4 may have no more visitors than any other.',
  },

  // The site
  {
    file: 'src/server/main.ts',
    find: 'repeat(renderNewDay, () => DAY_MS - (Date.now() % DAY_MS))',
    replace: 'repeat(renderNewDay, () => DAY_MS)',
    tests: ['src/server/main.test.ts'],
    title: 'midnight',
    loses: 'Plain links carry the name of yesterday for most of the day.',
  },
  {
    file: 'src/server/site/build-fallback-addresses.ts',
    find: 'Math.floor(now() / DAY_MS)',
    replace: 'Math.ceil(now() / DAY_MS)',
    tests: ['src/server/site/build-fallback-addresses.test.ts'],
    loses: 'Plain links carry the name of tomorrow.',
  },
  {
    file: 'src/server/site/line-table.ts',
    find: 'noWWW ? { host, noWWW } : host',
    replace: 'host',
    tests: API,
    title: 'hands out four hosts',
    loses: 'Pages do not hear of noWWW.',
  },
];
