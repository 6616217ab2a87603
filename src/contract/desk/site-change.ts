/**
 * What differs between two versions of a site, as data that can be told to a person who does not read JSON. Values are
 * short texts of JSON. Where there is no `before`, something was added; where there is no `after`, it was removed.
 */
export type SiteChange =
  | {
      readonly kind: 'value';
      readonly file: string;
      /** Such as `brand.name`, without the language. Empty for the whole file. */
      readonly path: string;
      readonly locale?: string;
      readonly before?: string;
      readonly after?: string;
    }
  | { readonly kind: 'line-added' | 'line-removed'; readonly host: string; readonly place: number }
  /** Another line took its place. */
  | {
      readonly kind: 'line-replaced';
      readonly host: string;
      readonly place: number;
      readonly hostBefore: string;
    }
  | {
      readonly kind: 'line-changed';
      readonly host: string;
      /** Its place in the list, from 1. */
      readonly place: number;
      readonly key: string;
      readonly before?: string;
      readonly after?: string;
    }
  | { readonly kind: 'lines-reordered' }
  | {
      readonly kind: 'image';
      readonly path: string;
      /** The names under which `site.json` uses it, such as `logo`. */
      readonly names: readonly string[];
      readonly what: FileEvent;
    }
  | { readonly kind: 'file'; readonly path: string; readonly what: FileEvent };

export type FileEvent = 'added' | 'removed' | 'replaced';

/** Says in English what has changed. */
export function describeChange(change: SiteChange): string {
  switch (change.kind) {
    case 'value':
      return `${nameValue(change)}: ${describeValues(change)}`;
    case 'line-added':
      return `line ${change.place}: ${change.host} added`;
    case 'line-removed':
      return `line ${change.place}: ${change.host} removed`;
    case 'line-replaced':
      return `line ${change.place}: ${change.hostBefore} → ${change.host}`;
    case 'line-changed':
      return `line ${change.place} (${change.host}): ${change.key} ${describeValues(change)}`;
    case 'lines-reordered':
      return 'lines: in another order';
    case 'image':
      return change.names.length === 0
        ? `${change.path}: ${change.what}`
        : `image ${change.names.join(', ')}: ${change.what}`;
    case 'file':
      return `${change.path}: ${change.what}`;
  }
}

function nameValue({ file, path, locale }: Extract<SiteChange, { kind: 'value' }>): string {
  const isSite = file === 'site.json';
  const name = isSite ? path : [file === 'json/link.json' ? 'link' : file, path].filter(Boolean).join(' ');
  return locale === undefined ? name : `${name} (${locale})`;
}

function describeValues({ before, after }: { readonly before?: string; readonly after?: string }): string {
  if (before === undefined) return after === undefined || after.startsWith('{') ? 'added' : `${after} added`;
  return after === undefined ? 'removed' : `${before} → ${after}`;
}
