import type { Command } from './command.ts';

/** Every subcommand of `waypost` by its name, in the order of their list. Each loads what it needs, and no more. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo.ts')).demo,
  init: async () => (await import('./init.ts')).init,
  serve: async () => (await import('./serve.ts')).serve,
  check: async () => (await import('./check.ts')).check,
  probe: async () => (await import('./probe.ts')).probe,
  line: async () => (await import('./line.ts')).line,
  build: async () => (await import('./build.ts')).build,
};
