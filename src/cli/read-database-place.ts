import { UsageError } from './command.ts';
import type { DatabasePlace } from '../server/store/open-database.ts';

const BRAND = /^[a-z\d-]{1,40}$/;

/** Reads from the environment which database a portal or a command uses. */
export function readDatabasePlace(dataDir: string, env: NodeJS.ProcessEnv): DatabasePlace {
  const url = readUrl('WAYPOST_DATABASE_URL', env);
  const directUrl = readUrl('WAYPOST_DATABASE_DIRECT_URL', env);
  if (directUrl !== undefined && url === undefined)
    throw new UsageError(
      'WAYPOST_DATABASE_DIRECT_URL needs WAYPOST_DATABASE_URL: set both, or only that one',
    );
  const brand = env.WAYPOST_BRAND || undefined;
  if (brand !== undefined && !BRAND.test(brand))
    throw new UsageError(
      `WAYPOST_BRAND must be 1 to 40 small letters, digits and hyphens, such as brand-one, got "${brand}"`,
    );
  return { dataDir, url, directUrl, brand };
}

function readUrl(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const url = env[name] || undefined;
  if (url === undefined || (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)))
    return url;
  // Not what was found: it may hold a password.
  throw new UsageError(`${name} must be a URL such as postgres://USER:PASSWORD@host:5432/waypost`);
}
