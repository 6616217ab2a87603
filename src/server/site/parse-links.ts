import * as v from 'valibot';
import { type ByLocale, byLocale, createByLocale } from '../../contract/site/by-locale.ts';
import { must } from '../../contract/faults/site-fault.ts';
import { type JsonFault, findJsonFaults } from '../../contract/site/find-json-faults.ts';
import { LINK_NAMES, type LinkName, isLink, schemesOf } from '../../contract/site/links-config.ts';
import type { Languages } from '../../contract/site/locales.ts';
import { hasShortHost } from '../../contract/site/site-values.ts';

/** The links as the site folder has them: each of them plain, or by language. */
export type SiteLinks = { readonly [Name in LinkName]?: string | ByLocale };

/** Finds what is wrong with the links of `json/link.json`. */
export function findLinkFaults(given: unknown, languages: Languages): readonly JsonFault[] {
  const entries = LINK_NAMES.map((name) => [name, byLocale(createLinkSchema(name), languages)] as const);
  const schema = v.strictObject(Object.fromEntries(entries));
  return findJsonFaults(schema, v.safeParse(schema, given).issues ?? []);
}

/** Takes the usable links, and of a link by language the usable ones: a bad link disables only its own control. */
export function readSiteLinks(given: Readonly<Record<string, unknown>>, languages: Languages): SiteLinks {
  const links = LINK_NAMES.map((name) => [name, readLink(name, given[name], languages)] as const);
  return Object.fromEntries(links.filter(([, link]) => link !== undefined));
}

function createLinkSchema(name: LinkName): v.GenericSchema<string, string> {
  const message = must('link', { schemes: schemesOf(name) });
  return v.pipe(
    v.string(message),
    v.check((link) => isUsable(link, name), message),
  );
}

function readLink(name: LinkName, given: unknown, languages: Languages): string | ByLocale | undefined {
  if (isUsable(given, name)) return given;
  if (typeof given !== 'object' || given === null) return undefined;
  const usable = Object.entries(given).filter((entry): entry is [string, string] => isUsable(entry[1], name));
  return createByLocale(Object.fromEntries(usable), languages);
}

function isUsable(given: unknown, name: LinkName): given is string {
  return typeof given === 'string' && hasShortHost(given) && isLink(given, name);
}
