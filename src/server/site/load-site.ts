import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SiteCode } from '../../contract/error-codes.ts';
import { writeCodedFault } from '../../contract/faults/describe-site-fault.ts';
import type { Fact, Rule, SiteFault, SitePlace } from '../../contract/faults/site-fault.ts';
import {
  type AddressDatabase,
  type AddressFile,
  joinAddressDatabases,
  openAddressDatabase,
} from '../caller/open-address-database.ts';
import { isSystem } from '../caller/system-name.ts';
import { isMissing, readCode, readReason } from '../../contract/read-code.ts';
import { listCountryRules } from './find-campaign-faults.ts';
import { listNames } from './find-config-faults.ts';
import { type ParsedSite, SITE_FILE, type Site, parseSite } from './parse-site.ts';
import { readPlainFile } from './read-plain-file.ts';
import {
  MAX_ADDRESS_FILE_BYTES,
  type SiteFiles,
  type SiteFolder,
  fingerprintFolder,
  readSiteFolder,
} from './read-site-folder.ts';

export type LoadedSite = {
  readonly site: Site;
  readonly addressDatabase: AddressDatabase | undefined;
  /** Faults that disable only one control, one line each. */
  readonly warnings: readonly SiteFault[];
  /** The hash of the folder's content: the same files have the same hash on every machine. */
  readonly hash: string;
  /** What the source looked like when it was read, see `SiteSource`. */
  readonly fingerprint: string;
  /** The number of its version, where versions are kept. */
  readonly version?: number;
  /** Makes it what the source has. Called once everything is ready to be served. */
  readonly commit?: () => Promise<void>;
};

/** Where the site comes from that is served. */
export type SiteSource = {
  /** The site folder. */
  readonly dir: string;
  /** Loads what is to be served, all of it or nothing. */
  readonly load: (onLookupFault: OnLookupFault) => Promise<LoadedSite>;
  /** A text that changes whenever there may be something else to serve. */
  readonly readFingerprint: () => Promise<string>;
};

/** A site folder that cannot be served. The message has one line for each fault. */
export class SiteError extends Error {
  override readonly name = 'SiteError';
  readonly code = 'site';
  readonly faults: readonly SiteFault[];

  constructor(faults: readonly SiteFault[]) {
    super(faults.map((fault) => writeCodedFault(fault, 'en')).join('\n'));
    this.faults = faults;
  }
}

type Path = SitePlace['path'];

const MMDB: Path = ['network', 'mmdb'];

/** Called with the path of an mmdb file for each address that could not be read from it. */
export type OnLookupFault = (path: string, error: unknown) => void;

/** The site folder itself. */
export function createFolderSource(dir: string): SiteSource {
  return {
    dir,
    load: (onLookupFault) => loadSite(dir, onLookupFault),
    readFingerprint: () => fingerprintFolder(dir),
  };
}

/** Loads a site folder, all of it or nothing. */
export async function loadSite(
  dir: string,
  onLookupFault: OnLookupFault = () => undefined,
): Promise<LoadedSite> {
  const folder = await openSiteFolder(dir);
  return { ...(await loadSiteFiles(folder, dir, onLookupFault)), fingerprint: folder.fingerprint };
}

/** Reads a site folder, which must be there. */
export async function openSiteFolder(dir: string): Promise<SiteFolder> {
  const fault = await findFolderFault(dir);
  if (fault === undefined) return readSiteFolder(dir);
  const place = dir === '' ? {} : { place: { file: dir, path: [] } };
  throw new SiteError([{ code: 'missing-folder', values: { fact: fault }, ...place }]);
}

/** Why there is no site folder at a path. Undefined if there is one. */
async function findFolderFault(dir: string): Promise<Fact | undefined> {
  if (dir === '') return { kind: 'no-path' };
  const found = await stat(dir).catch((error: unknown) => {
    if (isMissing(error) || readCode(error) === 'ENOTDIR') return undefined;
    throw error;
  });
  if (found === undefined) return { kind: 'no-folder' };
  return found.isDirectory() ? undefined : { kind: 'file-for-folder' };
}

type GivenFiles = {
  readonly files: SiteFiles;
  readonly faults?: readonly SiteFault[];
  /** Where it is parsed, if not on this thread. */
  readonly parse?: (files: SiteFiles) => ParsedSite | Promise<ParsedSite>;
};

/** Loads a site from its files. Its mmdb files, which may be very large, are read from `dir`. */
export async function loadSiteFiles(
  { files, faults: folderFaults = [], parse = parseSite }: GivenFiles,
  dir: string,
  onLookupFault: OnLookupFault,
): Promise<Omit<LoadedSite, 'fingerprint'>> {
  const { site, faults, warnings } = await parse(files);
  if (site === undefined || folderFaults.length > 0) throw new SiteError([...folderFaults, ...faults]);
  const { mmdb } = site.config.network;
  const paths = [mmdb].flat().filter((path) => path !== '');
  const databases = await Promise.all(paths.map((path) => loadAddressFile(dir, path, onLookupFault)));
  const reports = databases.map((database, index) => ({ path: paths[index] ?? '', ...database.inspect() }));
  const useless = findUselessFiles(site.config, reports);
  if (useless.length > 0) throw new SiteError(useless);
  const fileWarnings = reports.flatMap((report) =>
    explainGaps(report).map((rule) => describeKey('incomplete-mmdb', MMDB, rule)),
  );
  return {
    site,
    addressDatabase: databases.length === 0 ? undefined : joinAddressDatabases(databases),
    warnings: [...warnings, ...fileWarnings],
    hash: await hashFiles(files),
  };
}

type FileReport = { readonly path: string } & ReturnType<AddressFile['inspect']>;

/**
 * Finds mmdb files that hold nothing of use. If regions are restricted and no file has countries, nobody would get a line;
 * if a line is for some countries or systems only, nobody would get that one.
 */
function findUselessFiles(config: Site['config'], reports: readonly FileReport[]): readonly SiteFault[] {
  const { compliance, network } = config;
  const useless = reports
    .filter(
      ({ hasCountries, hasSystems, unreadable }) => unreadable === undefined && !hasCountries && !hasSystems,
    )
    .map(({ path }) => describeKey('unusable-mmdb', MMDB, { kind: 'mmdb-useless', path }));
  if (useless.length > 0) return useless;
  const lacks = (what: 'hasCountries' | 'hasSystems'): boolean =>
    reports.length > 0 && reports.every((report) => report.unreadable === undefined && !report[what]);
  const hosts = [...config.lines.hosts.entries()];
  const ruled = (key: 'countries' | 'networks', isNamed: (name: string) => boolean): readonly Path[] =>
    hosts.flatMap(([index, host]) =>
      listNames(host[key]).some(isNamed) ? [['lines', 'hosts', index, key]] : [],
    );
  const needCountries: readonly Path[] = [
    ...(compliance.restrictedRegions.length > 0 ? [['compliance', 'restrictedRegions']] : []),
    ...ruled('countries', () => true),
    ...listCountryRules(config),
  ];
  const needSystems = ruled('networks', isSystem);
  return [
    ...(network.countryHeader === '' && lacks('hasCountries') ? needCountries : []).map((key) =>
      describeKey('no-countries', key, { kind: 'needs-country-file' }),
    ),
    ...(lacks('hasSystems') ? needSystems : []).map((key) =>
      describeKey('no-systems', key, { kind: 'needs-system-file' }),
    ),
  ];
}

/** Why a file does not know some addresses. */
function explainGaps({ path, family, unreadable }: FileReport): readonly Rule[] {
  return [
    ...(family === 'ipv4' ? [{ kind: 'mmdb-one-family', path, has: 'IPv4', lacks: 'IPv6' } as const] : []),
    ...(family === 'ipv6' ? [{ kind: 'mmdb-one-family', path, has: 'IPv6', lacks: 'IPv4' } as const] : []),
    ...(unreadable === undefined ? [] : [{ kind: 'mmdb-damaged', path, address: unreadable } as const]),
  ];
}

function describeKey(code: SiteCode, path: Path, rule: Rule): SiteFault {
  return { code, values: { rule }, place: { file: SITE_FILE, path } };
}

/** Short, because people read it: twelve digits are enough to distinguish the folders of one operator. */
const HASH_DIGITS = 12;

/** One file at a time: a site may have 50 MB of images, and visitors are served meanwhile. */
async function hashFiles(files: SiteFiles): Promise<string> {
  const hash = createHash('sha256');
  const paths = [...files.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  // With its length, so that the hash changes when bytes move from one file to the next.
  for (const path of paths) {
    const bytes = files.get(path) ?? Buffer.alloc(0);
    hash.update(`${JSON.stringify(path)} ${bytes.length}\n`).update(bytes);
    await setImmediate();
  }
  return hash.digest('hex').slice(0, HASH_DIGITS);
}

async function loadAddressFile(
  dir: string,
  path: string,
  onLookupFault: OnLookupFault,
): Promise<AddressFile> {
  try {
    const bytes = await readPlainFile(resolve(dir, path), MAX_ADDRESS_FILE_BYTES);
    return openAddressDatabase(bytes, (error) => onLookupFault(path, error));
  } catch (error) {
    const reason = readReason(error);
    const rule: Rule = isMissing(error)
      ? { kind: 'mmdb-missing', path, at: resolve(dir, path) }
      : { kind: 'mmdb-unreadable', path, reason };
    throw new SiteError([describeKey('unusable-mmdb', MMDB, rule)]);
  }
}
