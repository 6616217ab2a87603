import type { ReactNode } from 'react';
import { hasControl } from '../../contract/page/analytics-events.ts';
import { type NamedCount, OTHER, type VisitGroup, type VisitorNumbers } from '../../contract/visitors.ts';
import { formatHost } from '../format/format-names.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import { CountTable } from './count-table.tsx';
import { writeTrend } from './describe-trend.ts';
import { type VisitorTexts, useVisitorTexts } from './texts.ts';
import styles from './visitors.module.css';

/** What visitors used and entered, where they came from, and with what: a table for each. */
export function CountLists({ numbers }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { pages, lines, referrers, countries, languages, devices } = numbers;
  return (
    <>
      <Controls numbers={numbers} />
      <div className={styles.columns}>
        <Counts
          id="pages"
          title={texts.pages}
          note={texts.pagesNote}
          what={texts.page}
          counts={pages}
          nameOf={(name) => name}
        />
        <Counts
          id="lines"
          title={texts.lines}
          note={texts.linesNote}
          what={texts.line}
          counts={lines}
          nameOf={(name) => (name === OTHER ? texts.other : formatHost(name))}
        />
        <Counts
          id="referrers"
          title={texts.referrers}
          note={texts.referrersNote}
          what={texts.site}
          counts={referrers}
          nameOf={(name) => (name === OTHER ? texts.other : name || texts.noReferrer)}
        />
        <Groups kind="countries" groups={countries} />
        <Groups kind="languages" groups={languages} />
        <Groups kind="devices" groups={devices} />
      </div>
    </>
  );
}

function Controls({ numbers: { controls } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const names = useNames();
  const { format } = useLocale();
  /** The language or the country with the most. The others are in the CSV. */
  const writeMost = ([most]: readonly NamedCount[], nameOf: (code: string) => string, all: number): string =>
    most === undefined || most.now === 0
      ? NO_DATA
      : texts.mostly(nameOf(most.name), format.part(most.now, all));
  const real = controls.flatMap(({ name, ...counts }) => (hasControl(name) ? [{ name, ...counts }] : []));
  const used = real.filter(({ now, before }) => now + before > 0);
  const unused = real.filter((control) => !used.includes(control)).map(({ name }) => texts.events[name]);
  const top = Math.max(1, ...used.map(({ now }) => now));
  return (
    <CountTable
      id="controls"
      title={texts.controls}
      note={texts.controlsNote}
      maxRows={used.length}
      end={unused.length > 0 && used.length > 0 ? texts.unused(unused) : undefined}
      columns={[
        { name: texts.control },
        { name: texts.now },
        { name: texts.onPhones, isWide: true },
        { name: texts.mostLanguage, isWide: true },
        { name: texts.mostCountry, isWide: true },
        { name: texts.before },
        { name: texts.change },
      ]}
      rows={used.map(({ name, now, before, mobile, languages, countries }) => ({
        key: name,
        name: texts.events[name],
        bar: now / top,
        cells: [
          format.count(now),
          format.count(mobile),
          writeMost(languages, names.languages, now),
          writeMost(countries, names.countries, now),
          format.count(before),
          writeTrend({ now, before }, format),
        ],
      }))}
    />
  );
}

type CountsProps = {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** The heading of the names. */
  readonly what: string;
  readonly counts: readonly NamedCount[];
  readonly nameOf: (name: string) => string;
};

function Counts({ counts, what, nameOf, ...panel }: CountsProps): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const top = Math.max(1, ...counts.map(({ now }) => now));
  return (
    <CountTable
      {...panel}
      columns={[{ name: what }, { name: texts.now }, { name: texts.before }, { name: texts.change }]}
      rows={counts.map(({ name, now, before }) => ({
        key: name,
        name: nameOf(name),
        bar: now / top,
        cells: [format.count(now), format.count(before), writeTrend({ now, before }, format)],
      }))}
    />
  );
}

/** What visits are grouped by, and the text at the head of its column. */
const HEADS = { countries: 'country', languages: 'language', devices: 'device' } as const;

type GroupKind = keyof typeof HEADS;

/** The visits of countries, languages or devices. */
export function Groups({
  kind,
  groups,
}: {
  readonly kind: GroupKind;
  readonly groups: readonly VisitGroup[];
}): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const nameOf = useNames()[kind];
  const top = Math.max(1, ...groups.map(({ views }) => views.now));
  return (
    <CountTable
      id={kind}
      title={texts[kind]}
      columns={[
        { name: texts[HEADS[kind]] },
        { name: texts.views },
        { name: texts.change },
        { name: texts.entered, isWide: true },
        { name: texts.shareShort },
      ]}
      rows={groups.map(({ name, views, entered }) => ({
        key: name,
        name: nameOf(name),
        bar: views.now / top,
        cells: [
          format.count(views.now),
          writeTrend(views, format),
          format.count(entered.now),
          format.part(entered.now, views.now),
        ],
      }))}
    />
  );
}

/** Names countries, languages and devices in the language of the console. */
function useNames(): Readonly<Record<GroupKind, (code: string) => string>> {
  const texts = useVisitorTexts();
  const { language } = useLocale();
  const nameCodes = (type: 'region' | 'language'): ((code: string) => string) => {
    const names = new Intl.DisplayNames([language], { type });
    return (code) => nameCode(code, { names, texts });
  };
  return {
    countries: nameCodes('region'),
    languages: nameCodes('language'),
    devices: (name) => texts.deviceNames[name] ?? texts.other,
  };
}

/** Names one country or language. */
export function nameCode(
  code: string,
  { names, texts }: { readonly names: Intl.DisplayNames; readonly texts: VisitorTexts },
): string {
  if (code === OTHER) return texts.other;
  if (code === '') return texts.unknown;
  try {
    return names.of(code) ?? code;
  } catch {
    return code; // Another program wrote it to the database: it is no code at all.
  }
}
