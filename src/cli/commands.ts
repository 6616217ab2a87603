import type { Command } from './command.ts';

/** Every subcommand of `waypost`, in the order of the list. Each is loaded only when it is used. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo.ts')).demo,
  init: async () => (await import('./init.ts')).init,
  serve: async () => (await import('./serve.ts')).serve,
  operator: async () => (await import('./operator.ts')).operator,
  check: async () => (await import('./check.ts')).check,
  probe: async () => (await import('./probe.ts')).probe,
  notify: async () => (await import('./notify.ts')).notify,
  line: async () => (await import('./line.ts')).line,
  versions: async () => (await import('./versions.ts')).versions,
  rollback: async () => (await import('./rollback.ts')).rollback,
  export: async () => (await import('./export.ts')).exportVersion,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  build: async () => (await import('./build.ts')).build,
};
