import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import * as v from 'valibot';
import type { SiteCode } from '../../contract/error-codes.ts';
import { type Fact, type Rule, type SiteFault, must, writePath } from '../../contract/faults/site-fault.ts';
import { MAX_FAULTS, MAX_SITE_JSON_BYTES } from '../../contract/limits.ts';
import { explainHost } from '../../contract/site/explain-host.ts';
import { type JsonFault, findJsonFaults } from '../../contract/site/find-json-faults.ts';
import { DEFAULT_LANGUAGES, type Languages, readLanguages } from '../../contract/site/locales.ts';
import { parseHost } from '../../contract/site/parse-host.ts';
import { TARGET_PATTERN } from '../../contract/paths.ts';
import { type SiteConfig, createSiteConfigSchema } from '../../contract/site/site-config.ts';
import { readTargetFile } from '../../contract/site/target-file.ts';
import { IMAGE_TYPES } from '../http/media-types.ts';
import { listBetterFormats } from './better-formats.ts';
import { findMissingLinks, findUnknownTargets } from './find-campaign-faults.ts';
import { findConfigFaults } from './find-config-faults.ts';
import { type SiteLinks, findLinkFaults, readSiteLinks } from './parse-links.ts';
import { type JsonFile, findJsonSizeFault, readJson, readPart } from './read-json.ts';
import type { SiteFiles } from './read-site-folder.ts';

/** The addresses of a `/t` target, in the order of its file, and the file as it is sent. */
export type SiteTarget = { readonly hosts: readonly string[]; readonly json: string };

/** What a site folder holds, validated. */
export type Site = {
  readonly config: SiteConfig;
  readonly links: SiteLinks;
  /** The addresses of each `/t` target, by its name. */
  readonly targets: ReadonlyMap<string, SiteTarget>;
  /** The bytes of every image that the site names, and of its better formats, by its path in the folder. */
  readonly images: ReadonlyMap<string, Buffer>;
};

export type ParsedSite = {
  /** Undefined where there is a fault. */
  readonly site: Site | undefined;
  readonly faults: readonly SiteFault[];
  /** What costs one control only, and does not stop the site. */
  readonly warnings: readonly SiteFault[];
};

export const SITE_FILE = 'site.json';
const LINKS_FILE = 'json/link.json';
const TARGET_FOLDER = 'json/urls';
/** The addresses of one `/t` target: an object whose values are host names. */
const targetFileSchema = v.record(v.string(), v.string(must('host')));
const OPTIONAL_IMAGES: ReadonlySet<string> = new Set(
  Object.entries(createSiteConfigSchema(DEFAULT_LANGUAGES).entries.images.entries)
    .filter(([, { type }]) => type === 'optional')
    .map(([name]) => name),
);

/** Validates the files of a site folder, and reports its faults, not only the first: up to `MAX_FAULTS` of them. */
export function parseSite(files: SiteFiles): ParsedSite {
  const tooLarge = findSizeFault(files);
  if (tooLarge !== undefined) return { site: undefined, faults: [tooLarge], warnings: [] };
  const faults: SiteFault[] = [];
  const warnings: SiteFault[] = [];
  const siteFile = readFile(SITE_FILE, files, faults);
  const languages = readLanguages(siteFile?.value);
  const config = siteFile && parseConfig(siteFile, languages, faults);
  const images = siteFile ? findImages(siteFile, files, faults) : new Map<string, Buffer>();
  const links = parseLinksFile(files, languages, { faults, warnings });
  const targets = parseTargets(files, { faults, warnings });
  if (config && siteFile) faults.push(...findUnknownTargets(config, targets).map(siteFile.locate));
  if (config && siteFile && links) warnings.push(...findMissingLinks(config, links).map(siteFile.locate));
  if (config === undefined || links === undefined || faults.length > 0) {
    return { site: undefined, faults: cutList(faults), warnings: cutList(warnings) };
  }
  return { site: { config, links, targets, images }, faults, warnings: cutList(warnings) };
}

function findSizeFault(files: SiteFiles): SiteFault | undefined {
  // One that is too large by itself has a fault of its own.
  const sizes = [...files].flatMap(([path, bytes]) =>
    isRead(path) && findJsonSizeFault(bytes) === undefined ? bytes.length : [],
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= MAX_SITE_JSON_BYTES) return undefined;
  const fact: Fact = { kind: 'all-json-too-large', most: MAX_SITE_JSON_BYTES, found: total };
  return { code: 'unusable-file', values: { fact } };
}

function isRead(path: string): boolean {
  return path === SITE_FILE || path === LINKS_FILE || isTargetFile(path);
}

function isTargetFile(path: string): boolean {
  return posix.dirname(path) === TARGET_FOLDER && posix.extname(path) === '.json';
}

/** A person corrects the first hundred first. */
function cutList(faults: readonly SiteFault[]): readonly SiteFault[] {
  if (faults.length <= MAX_FAULTS) return faults;
  const fact: Fact = { kind: 'more-faults', most: MAX_FAULTS };
  return [...faults.slice(0, MAX_FAULTS), { code: 'too-many-faults', values: { fact } }];
}

function parseConfig(
  { value, locate }: JsonFile,
  languages: Languages,
  faults: SiteFault[],
): SiteConfig | undefined {
  const schema = createSiteConfigSchema(languages);
  const { success, output, issues = [] } = v.safeParse(schema, value);
  const config = success ? output : undefined;
  const found = [...findJsonFaults(schema, issues), ...findConfigFaults(value, config)];
  faults.push(...found.slice(0, MAX_FAULTS + 1).map(locate));
  return config;
}

/** Where what is wrong is noted. */
type Notes = { readonly faults: SiteFault[]; readonly warnings: SiteFault[] };

function parseLinksFile(
  files: SiteFiles,
  languages: Languages,
  { faults, warnings }: Notes,
): SiteLinks | undefined {
  const file = readFile(LINKS_FILE, files, faults);
  if (file === undefined) return undefined;
  const { value, locate } = file;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(locate(refuseFile({ kind: 'links-file' })));
    return undefined;
  }
  warnings.push(...findLinkFaults(value, languages).map(locate));
  return readSiteLinks(value as Readonly<Record<string, unknown>>, languages);
}

function parseTargets(files: SiteFiles, notes: Notes): ReadonlyMap<string, SiteTarget> {
  const targets = new Map<string, SiteTarget>();
  for (const file of files.keys()) {
    if (!isTargetFile(file)) continue;
    if (notes.faults.length > MAX_FAULTS) break;
    const name = posix.basename(file, '.json');
    if (!TARGET_PATTERN.test(name)) {
      notes.faults.push(describeFile('invalid-target-name', file, { kind: 'target-name', name }));
    }
    const addresses = parseTargetFile(file, files, notes);
    if (addresses !== undefined) targets.set(name, addresses);
  }
  return targets;
}

/** Undefined for a file with a fault, and for one without a host: there is no such target then. */
function parseTargetFile(
  name: string,
  files: SiteFiles,
  { faults, warnings }: Notes,
): SiteTarget | undefined {
  const file = readFile(name, files, faults);
  if (file === undefined) return undefined;
  if (Array.isArray(file.value)) {
    faults.push(file.locate(refuseFile({ kind: 'target-file' })));
    return undefined;
  }
  const { success, issues = [] } = v.safeParse(targetFileSchema, file.value);
  faults.push(...findJsonFaults(targetFileSchema, issues).map(file.locate));
  for (const [key, entry] of Object.entries(Object(file.value) as object)) {
    if (typeof entry !== 'string' || parseHost(entry).kind === 'host') continue;
    if (faults.length > MAX_FAULTS) break;
    const values = { rule: explainHost(entry), got: JSON.stringify(entry) };
    faults.push(file.locate({ code: 'invalid-value', path: [key], values }));
  }
  if (!success) return undefined;
  // Removes the white space of the file. It does not go through an object, which would put keys that are numbers first.
  const json = (files.get(name)?.toString('utf8') ?? '').replace(/("(?:[^"\\]|\\.)*"?)|\s+/g, '$1');
  const hosts = readTargetFile(json).filter((host) => typeof host === 'string');
  if (hosts.length > 0) return { hosts, json };
  warnings.push(file.locate(refuseFile({ kind: 'empty-target' })));
  return undefined;
}

/** Checks the images even if another part of `site.json` has a fault, so that all faults are reported at once. */
function findImages(
  { value, locate }: JsonFile,
  files: SiteFiles,
  faults: SiteFault[],
): ReadonlyMap<string, Buffer> {
  const images = new Map<string, Buffer>();
  // A path that leads out of the folder is a fault already.
  const known = new Set(faults.map(({ place }) => writePath(place?.path ?? [])));
  const named = [
    ...Object.entries(readPart(value, 'images')).map(([name, given]) => ({ place: ['images', name], given })),
    ...Object.entries(readPart(value, 'campaigns')).map(([code, campaign]) => ({
      place: ['campaigns', code, 'image'],
      given: readPart({ campaign }, 'campaign')['image'],
    })),
  ];
  for (const { place: above, given } of named) {
    const isOptional = above[0] === 'campaigns' || OPTIONAL_IMAGES.has(above[1] ?? '');
    for (const { key, path } of listImagePaths(given)) {
      const place = [...above, ...key];
      const values = findImageFault(path, files.get(path), isOptional);
      if (values !== undefined && !known.has(writePath(place)) && faults.length <= MAX_FAULTS) {
        faults.push(locate({ code: 'unusable-image', path: place, values }));
      }
      for (const found of [path, ...listBetterFormats(path)]) {
        const bytes = files.get(found);
        if (bytes !== undefined && bytes.length > 0) images.set(found, bytes);
      }
    }
  }
  return images;
}

/** One path, or one for each language. What is neither is a fault of its own. */
function listImagePaths(
  given: unknown,
): readonly { readonly key: readonly string[]; readonly path: string }[] {
  if (typeof given === 'string') return [{ key: [], path: given }];
  return Object.entries(Object(given) as object).flatMap(([key, path]) =>
    typeof path === 'string' ? [{ key: [key], path }] : [],
  );
}

function findImageFault(
  path: string,
  image: Buffer | undefined,
  isOptional: boolean,
): SiteFault['values'] | undefined {
  if (IMAGE_TYPES.get(posix.extname(path)) === undefined) {
    return { rule: { kind: 'image-type', types: [...IMAGE_TYPES.keys()] }, got: JSON.stringify(path) };
  }
  if (image !== undefined && image.length > 0) return undefined;
  return { rule: { kind: 'image-file', path, isEmpty: image !== undefined, isOptional } };
}

/** The fault of a JSON file as a whole. */
function refuseFile(rule: Rule): JsonFault {
  return { code: 'invalid-value', path: [], values: { rule } };
}

/** The fault of a file that is not read. */
function describeFile(code: SiteCode, file: string, fact: Fact): SiteFault {
  return { code, values: { fact }, place: { file, path: [] } };
}

/** Undefined where the file is missing, too large or no JSON, which is a fault. */
function readFile(name: string, files: SiteFiles, faults: SiteFault[]): JsonFile | undefined {
  const bytes = files.get(name);
  if (bytes === undefined) {
    faults.push(describeFile('missing-file', name, { kind: 'file-missing' }));
    return undefined;
  }
  const tooLarge = findJsonSizeFault(bytes);
  if (tooLarge !== undefined) {
    faults.push(describeFile('unusable-file', name, tooLarge));
    return undefined;
  }
  if (!isUtf8(bytes)) {
    faults.push(describeFile('broken-json', name, { kind: 'not-utf8' }));
    return undefined;
  }
  const file = readJson(name, bytes.toString('utf8'));
  if (file.kind === 'broken') {
    faults.push(file.fault);
    return undefined;
  }
  faults.push(...file.repeatedKeys);
  return file;
}
