import type { Command } from './command.ts';

/** A subcommand of `waypost`, before it is loaded. */
export type ListedCommand = {
  /** One line for the list of commands. It is here, so that the list loads no command. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
};

/** Every subcommand of `waypost`, in the order of the list. Each is loaded only when it is used. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  demo: {
    summary: 'run the portal with a demo brand and line hosts of its own',
    load: async () => (await import('./demo.ts')).demo,
  },
  init: {
    summary: 'write a new site folder, to be made your own',
    load: async () => (await import('./init.ts')).init,
  },
  serve: {
    summary: 'serve the portal from a site folder',
    load: async () => (await import('./serve.ts')).serve,
  },
  operator: {
    summary: 'add the first person of the console, list people, reset one',
    load: async () => (await import('./operator.ts')).operator,
  },
  check: {
    summary: 'verify a site folder and, with --lines, every line as a browser would',
    load: async () => (await import('./check.ts')).check,
  },
  probe: {
    summary: 'measure how fast the lines answer from here',
    load: async () => (await import('./probe.ts')).probe,
  },
  notify: {
    summary: 'send a test message by a channel of site.json',
    load: async () => (await import('./notify.ts')).notify,
  },
  line: {
    summary: 'answer speed checks as a line host does',
    load: async () => (await import('./line.ts')).line,
  },
  versions: {
    summary: 'list the versions of a site, or what differs between two of them',
    load: async () => (await import('./versions.ts')).versions,
  },
  rollback: {
    summary: 'bring an earlier version of a site back',
    load: async () => (await import('./rollback.ts')).rollback,
  },
  export: {
    summary: 'write what is live, or an earlier version, as a site folder',
    load: async () => (await import('./export.ts')).exportVersion,
  },
  move: {
    summary: 'take what a portal has kept to PostgreSQL',
    load: async () => (await import('./move.ts')).move,
  },
  backup: {
    summary: 'write versions, people, numbers and secret of a portal into one file',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    summary: 'make the data folder of a portal from a backup',
    load: async () => (await import('./restore.ts')).restore,
  },
  build: {
    summary: 'write the site as plain files, for hosting without a server of ours',
    load: async () => (await import('./build.ts')).build,
  },
};
