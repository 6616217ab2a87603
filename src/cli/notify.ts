import { parseArgs } from 'node:util';
import { findConsoleLanguage } from '../contract/console.ts';
import { nameBrand } from '../contract/site/site-config.ts';
import { createPublicAddressTest } from '../line/is-public-address.ts';
import type { MessageOptions } from '../server/compose.ts';
import { createTestIncident } from '../server/incidents/keep-incidents.ts';
import { createSend } from '../server/messages/create-send.ts';
import { describeMessage } from '../server/messages/describe-message.ts';
import { loadSite } from '../server/site/load-site.ts';
import { type Command, CommandError, UsageError, readSwitch } from './command.ts';

/** `waypost notify`: sends a test by a channel. */
export const notify: Command = {
  summary: 'send a test message by a channel of site.json',
  help: `Usage: waypost notify --test CHANNEL [--site DIR] [--data DIR]

Sends a test by a channel of "alerts" in site.json, with the secrets of this machine, and says what came of it. A portal
need not run.

  --test CHANNEL  the name of the channel
  --site DIR      the site folder                          WAYPOST_SITE   site
  --data DIR      the server's own folder, for secrets/    WAYPOST_DATA   data

The environment variable beside an option sets it, too; the last column is the default.

  WAYPOST_PRIVATE_ALERTS  on where channels may have private addresses

Example: waypost notify --test night --site ./site --data /var/lib/waypost/8080`,
  run: async (args) => {
    const { env } = process;
    const { values } = parseArgs({
      args: [...args],
      options: {
        test: { type: 'string' },
        site: { type: 'string', default: env['WAYPOST_SITE'] || 'site' },
        data: { type: 'string', default: env['WAYPOST_DATA'] || 'data' },
      },
    });
    if (values.test === undefined) throw new UsageError('name a channel: --test CHANNEL');
    await sendTest(values.test, { siteDir: values.site, dataDir: values.data, env });
    console.log(`the channel "${values.test}" took the test`);
    return 0;
  },
};

type Places = { readonly siteDir: string; readonly dataDir: string; readonly env: NodeJS.ProcessEnv };

async function sendTest(name: string, { siteDir, dataDir, env }: Places): Promise<void> {
  const { config } = (await loadSite(siteDir)).site;
  const channels = config.alerts?.channels ?? [];
  const channel = channels.find((each) => each.name === name);
  if (channel === undefined) {
    const known = channels.map((each) => each.name).join(', ') || 'none';
    throw new UsageError(`${siteDir}/site.json has no channel "${name}"; it has: ${known}`);
  }
  const now = Date.now();
  const message = describeMessage(createTestIncident(now), {
    id: `test-${now}`,
    type: 'test',
    site: nameBrand(config),
    language: findConsoleLanguage([config.defaultLocale]),
    now,
  });
  const send = createSend({ dataDir, now: Date.now, ...readMessageOptions(env) });
  await send(channel, message).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      { code: 'message', message: `the channel "${name}" did not take the test: ${reason}` },
      { cause: error },
    );
  });
}

/** How messages leave this machine, as the environment says. */
export function readMessageOptions(env: NodeJS.ProcessEnv): MessageOptions {
  const allowsPrivate = readSwitch('WAYPOST_PRIVATE_ALERTS', env['WAYPOST_PRIVATE_ALERTS']);
  return {
    readVariable: (name) => env[name],
    isAllowed: allowsPrivate ? () => true : createPublicAddressTest(),
  };
}
