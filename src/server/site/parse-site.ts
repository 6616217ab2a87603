import { posix } from 'node:path';
import * as v from 'valibot';
import { describeIssues } from '../../contract/describe-issues.ts';
import { type LinksConfig, findLinkFaults, parseLinks } from '../../contract/links-config.ts';
import { parseHost } from '../../contract/parse-host.ts';
import { TARGET_PATTERN } from '../../contract/paths.ts';
import { type SiteConfig, siteConfigSchema } from '../../contract/site-config.ts';
import { type TargetFile, targetFileSchema } from '../../contract/target-file.ts';
import { parseRange } from '../caller/trusted-proxies.ts';
import { IMAGE_TYPES } from '../http/media-types.ts';
import { listBetterFormats } from './better-formats.ts';
import type { SiteFiles } from './read-site-folder.ts';

/** What a site folder holds, validated. */
export type Site = {
  readonly config: SiteConfig;
  readonly links: LinksConfig;
  /** The addresses of each `/t` target, by its name. */
  readonly targets: ReadonlyMap<string, TargetFile>;
  /** The bytes of every image that the site names, and of its better formats, by its path in the folder. */
  readonly images: ReadonlyMap<string, Buffer>;
};

export type ParsedSite = {
  /** Undefined where there is a fault. */
  readonly site: Site | undefined;
  /** One line each: file, JSON path, what is expected, what was found. */
  readonly faults: readonly string[];
  /** What costs one control only, and does not stop the site. */
  readonly warnings: readonly string[];
};

const SITE_FILE = 'site.json';
const LINKS_FILE = 'json/link.json';
const TARGET_FOLDER = 'json/urls';

/** Validates the files of a site folder, and reports every fault there is, not only the first. */
export function parseSite(files: SiteFiles): ParsedSite {
  const faults: string[] = [];
  const warnings: string[] = [];
  const config = parseConfig(files, faults);
  const links = parseLinksFile(files, faults, warnings);
  const targets = parseTargets(files, faults);
  const images = config === undefined ? new Map<string, Buffer>() : findImages(config, files, faults);
  if (config === undefined || links === undefined || faults.length > 0) {
    return { site: undefined, faults, warnings };
  }
  return { site: { config, links, targets, images }, faults, warnings };
}

function parseConfig(files: SiteFiles, faults: string[]): SiteConfig | undefined {
  const body = parseJson(SITE_FILE, files, faults);
  if (body === undefined) return undefined;
  const { success, output, issues } = v.safeParse(siteConfigSchema, body.value);
  if (!success) {
    faults.push(...describeIssues(SITE_FILE, issues));
    return undefined;
  }
  for (const [index, range] of output.network.trustedProxies.entries()) {
    if (parseRange(range) !== undefined) continue;
    const path = `network.trustedProxies[${index}]`;
    faults.push(`${SITE_FILE}: ${path} must be a range such as "10.0.0.0/8", got ${JSON.stringify(range)}`);
  }
  if (!canTellRegions(output)) {
    faults.push(
      `${SITE_FILE}: compliance.restrictedRegions needs a way to tell a caller's country: set network.mmdb, or network.countryHeader together with network.trustedProxies`,
    );
  }
  return output;
}

/** False where regions are restricted, and nothing would ever say in which of them a caller is. */
function canTellRegions({ compliance, network }: SiteConfig): boolean {
  if (compliance.restrictedRegions.length === 0) return true;
  const hasHeader = network.countryHeader !== '' && network.trustedProxies.length > 0;
  return hasHeader || [network.mmdb].flat().some((path) => path !== '');
}

function parseLinksFile(files: SiteFiles, faults: string[], warnings: string[]): LinksConfig | undefined {
  const body = parseJson(LINKS_FILE, files, faults);
  if (body === undefined) return undefined;
  const links = parseLinks(body.value);
  if (links === undefined) {
    faults.push(`${LINKS_FILE}: the file must be an object of links`);
    return undefined;
  }
  // It has links, and so is an object.
  const linkFaults = findLinkFaults(body.value as object);
  warnings.push(...linkFaults.map(({ name, reason }) => `${LINKS_FILE}: ${name} ${reason}`));
  return links;
}

function parseTargets(files: SiteFiles, faults: string[]): ReadonlyMap<string, TargetFile> {
  const targets = new Map<string, TargetFile>();
  for (const file of files.keys()) {
    if (posix.dirname(file) !== TARGET_FOLDER || posix.extname(file) !== '.json') continue;
    const name = posix.basename(file, '.json');
    if (!TARGET_PATTERN.test(name)) {
      faults.push(`${file}: the name of a target must be 1 to 64 letters, digits, "-" or "_", got "${name}"`);
    }
    const addresses = parseTargetFile(file, files, faults);
    if (addresses !== undefined) targets.set(name, addresses);
  }
  return targets;
}

function parseTargetFile(file: string, files: SiteFiles, faults: string[]): TargetFile | undefined {
  const body = parseJson(file, files, faults);
  if (body === undefined) return undefined;
  const { success, output, issues } = v.safeParse(targetFileSchema, body.value);
  if (!success) {
    faults.push(...describeIssues(file, issues));
    return undefined;
  }
  for (const [key, entry] of Object.entries(output)) {
    const parts = parseHost(entry);
    if (parts.kind === 'host') continue;
    faults.push(
      `${file}: ${key} must be a host such as "app1.example": it ${parts.reason}, got ${JSON.stringify(entry)}`,
    );
  }
  return output;
}

function findImages(config: SiteConfig, files: SiteFiles, faults: string[]): ReadonlyMap<string, Buffer> {
  const images = new Map<string, Buffer>();
  for (const [name, path] of Object.entries(config.images)) {
    if (path === undefined) continue;
    const image = files.get(path);
    if (IMAGE_TYPES.get(posix.extname(path)) === undefined) {
      const known = [...IMAGE_TYPES.keys()].join(', ');
      faults.push(`${SITE_FILE}: images.${name} must be an image (${known}), got "${path}"`);
    } else if (image === undefined || image.length === 0) {
      const found = image === undefined ? 'there is no such file' : 'the file is empty';
      faults.push(
        `${SITE_FILE}: images.${name} must be an image in the site folder, got "${path}": ${found}`,
      );
    } else {
      images.set(path, image);
      for (const better of listBetterFormats(path)) {
        const bytes = files.get(better);
        if (bytes !== undefined && bytes.length > 0) images.set(better, bytes);
      }
    }
  }
  return images;
}

/** The parsed JSON of a file in an object of its own, so that a file that says `null` is not a missing file. */
function parseJson(
  file: string,
  files: SiteFiles,
  faults: string[],
): { readonly value: unknown } | undefined {
  const bytes = files.get(file);
  if (bytes === undefined) {
    faults.push(`${file}: the file is missing`);
    return undefined;
  }
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    faults.push(`${file}: the file must be JSON: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
