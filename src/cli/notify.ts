import { parseArgs } from 'node:util';
import { findConsoleLanguage } from '../contract/console-language.ts';
import { type SiteConfig, nameBrand } from '../contract/site/site-config.ts';
import { createPublicAddressTest } from '../line/is-public-address.ts';
import { type MessageOptions, createSend } from '../server/messages/create-send.ts';
import { createDelivery } from '../server/messages/create-delivery.ts';
import { createTestIncident, describeMessage } from '../server/messages/describe-message.ts';
import { SiteError, loadSite } from '../server/site/load-site.ts';
import { parseSite } from '../server/site/parse-site.ts';
import { checkFolder } from './given-paths.ts';
import {
  type Command,
  CommandError,
  UsageError,
  createDataOption,
  createSiteOption,
  readSwitch,
} from './command.ts';
import { useVersions } from './open-versions.ts';
import { readReason } from '../contract/read-code.ts';

/** `waypost notify`: sends a test by a channel. */
export const notify: Command = {
  help: `Usage: waypost notify --test CHANNEL [--site DIR] [--data DIR] [--edit]

Sends a test by a channel of "alerts" in site.json, with the secrets of this machine, and says what came of it. A portal
need not run. With editing on, the channels are those of the version that is live.

  --test CHANNEL  the name of the channel
  --site DIR      the site folder                          WAYPOST_SITE   site
  --data DIR      the server's own folder, for secrets/    WAYPOST_DATA   data
  --edit          editing is on                            WAYPOST_EDIT   off

The environment variable beside an option sets it, too; the last column is the default.

  WAYPOST_PRIVATE_ALERTS  on where channels may have private addresses

Example: waypost notify --test night --site ./site --data /var/lib/waypost/8080`,
  run: async (args) => {
    const { env } = process;
    const { values } = parseArgs({
      args: [...args],
      options: {
        test: { type: 'string' },
        site: createSiteOption(env),
        data: createDataOption(env),
        edit: { type: 'boolean', default: readSwitch('WAYPOST_EDIT', env.WAYPOST_EDIT) },
      },
    });
    if (values.test === undefined) throw new UsageError('name a channel: --test CHANNEL');
    await checkFolder('--data', values.data);
    const places = { siteDir: values.site, dataDir: values.data, isEditing: values.edit, env };
    await sendTest(values.test, places);
    console.log(`the channel "${values.test}" took the test`);
    return 0;
  },
};

type Places = {
  readonly siteDir: string;
  readonly dataDir: string;
  readonly isEditing: boolean;
  readonly env: NodeJS.ProcessEnv;
};

async function sendTest(name: string, places: Places): Promise<void> {
  const { dataDir, env, isEditing } = places;
  const { where, config } = await loadLiveConfig(places);
  const channels = config.alerts?.channels ?? [];
  const channel = channels.find((each) => each.name === name);
  if (channel === undefined) {
    const known = channels.map((each) => each.name).join(', ') || 'none';
    const hint = isEditing ? '' : ' (if the portal runs with editing on, add --edit)';
    throw new UsageError(`${where} has no channel "${name}"; it has: ${known}${hint}`);
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
  // As the console's button does, with the same deadline.
  const { sendNow } = createDelivery({ send, now: Date.now });
  await sendNow(channel, message).catch((error: unknown) => {
    const reason = readReason(error);
    throw new CommandError(
      { code: 'message', message: `the channel "${name}" did not take the test: ${reason}` },
      { cause: error },
    );
  });
}

type LiveConfig = { readonly where: string; readonly config: SiteConfig };

/** What the portal of this data folder serves: the version that is live, or with editing off its site folder. */
async function loadLiveConfig({ siteDir, dataDir, isEditing }: Places): Promise<LiveConfig> {
  if (isEditing) return loadLiveVersion(dataDir);
  return { where: `${siteDir}/site.json`, config: (await loadSite(siteDir)).site.config };
}

function loadLiveVersion(dataDir: string): Promise<LiveConfig> {
  return useVersions(dataDir, async ({ versions, files, current }) => {
    const { site, faults } = parseSite(await files.readFiles((await versions.read(current)).files));
    if (site === undefined) throw new SiteError(faults);
    return { where: `version ${current}, which is live,`, config: site.config };
  });
}

/** How messages leave this machine, as the environment says. */
export function readMessageOptions(env: NodeJS.ProcessEnv): MessageOptions {
  const allowsPrivate = readSwitch('WAYPOST_PRIVATE_ALERTS', env.WAYPOST_PRIVATE_ALERTS);
  return {
    readVariable: (name) => env[name],
    isAllowed: allowsPrivate ? () => true : createPublicAddressTest(),
  };
}
