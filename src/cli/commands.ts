import { build } from './build.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { demo } from './demo.ts';
import { init } from './init.ts';
import { line } from './line.ts';
import { probe } from './probe.ts';
import { serve } from './serve.ts';

/** Every subcommand of `waypost` by its name, in the order of their list. */
export const COMMANDS: Readonly<Record<string, Command>> = { demo, init, serve, check, probe, line, build };
