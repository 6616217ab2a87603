import { type ReactNode, useState } from 'react';
import { VISITOR_PATHS } from '../../contract/paths.ts';
import {
  type NamedCount,
  OTHER,
  VISITOR_RANGES,
  VISIT_STEPS,
  type VisitGroup,
  type VisitorNumbers,
  type VisitorRange,
} from '../../contract/visitors.ts';
import { formatHost } from '../format/format-names.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { Switch } from '../parts/switch.tsx';
import { type CountRow, CountTable } from './count-table.tsx';
import { describeChange, describeShareChange, writeChange } from './describe-change.ts';
import { useVisitorTexts } from './texts.ts';
import { TimeChart } from './time-chart.tsx';
import styles from './visitors.module.css';
import { VitalsTable } from './vitals-table.tsx';

const RANGES = Object.keys(VISITOR_RANGES) as VisitorRange[];
const SETTING = '"analytics": { "counts": "self" }';

/** How many visitors did what: the numbers that the portal counts. */
export function VisitorsView({ version }: { readonly version: number }): ReactNode {
  const texts = useVisitorTexts();
  const { texts: consoleTexts } = useLocale();
  const [range, setRange] = useState<VisitorRange>('today');
  const query = `?range=${range}`;
  const { data, hasFailed } = useView<VisitorNumbers>(`${VISITOR_PATHS.numbers}${query}`, version);
  return (
    <div className={styles.view}>
      <div className={styles.head}>
        <Switch
          name={texts.range}
          choices={RANGES.map((value) => ({ value, text: texts.ranges[value] }))}
          value={range}
          onChoose={setRange}
        />
        <p className={styles.note}>{texts.earlier[range]}</p>
        <a className={styles.csv} href={`${VISITOR_PATHS.table}${query}`} download>
          {texts.csv}
        </a>
      </div>
      {data === undefined ? (
        <Empty>{hasFailed ? consoleTexts.viewFailed : consoleTexts.loading}</Empty>
      ) : (
        <Numbers numbers={data} />
      )}
    </div>
  );
}

function Numbers({ numbers }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { steps, isOn, lines, referrers, countries, languages, devices } = numbers;
  const nameRegion = useNames('region');
  const nameLanguage = useNames('language');
  const isEmpty = steps.page_view.now + steps.page_view.before === 0;
  if (!isOn && isEmpty) return <Off />;
  return (
    <>
      {!isOn && <p className={styles.off}>{texts.offOlder}</p>}
      <Tiles numbers={numbers} />
      <Way numbers={numbers} />
      <TimeChart numbers={numbers} />
      <div className={styles.columns}>
        <Controls numbers={numbers} />
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
        <Groups
          id="countries"
          title={texts.countries}
          what={texts.country}
          groups={countries}
          nameOf={nameRegion}
        />
        <Groups
          id="languages"
          title={texts.languages}
          what={texts.language}
          groups={languages}
          nameOf={nameLanguage}
        />
        <Groups
          id="devices"
          title={texts.devices}
          what={texts.device}
          groups={devices}
          nameOf={(name) => texts.deviceNames[name] ?? name}
        />
      </div>
      <VitalsTable numbers={numbers} />
    </>
  );
}

/** Says how to turn counting on. */
function Off(): ReactNode {
  const texts = useVisitorTexts();
  return (
    <Panel title={texts.off} id="counts-off">
      <div className={styles.explained}>
        <p>{texts.offText}</p>
        <p>
          {texts.offHow} <code>{SETTING}</code>
        </p>
        <p>{texts.offTag}</p>
      </div>
    </Panel>
  );
}

function Tiles({ numbers: { steps } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const { page_view: views, entered } = steps;
  const words = { texts, format };
  const tiles = [
    { id: 'views', title: texts.views, figure: format.count(views.now), note: describeChange(views, words) },
    {
      id: 'entered',
      title: texts.entered,
      figure: format.count(entered.now),
      note: describeChange(entered, words),
    },
    {
      id: 'share',
      title: texts.share,
      figure: format.part(entered.now, views.now),
      note: describeShareChange(entered, views, words),
    },
  ];
  return (
    <div className={styles.tiles}>
      {tiles.map(({ id, title, figure, note }) => (
        <section key={id} className={styles.tile} aria-labelledby={`tile-${id}`}>
          <h2 id={`tile-${id}`}>{title}</h2>
          <p className={styles.figure}>{figure}</p>
          <p className={styles.note}>{note}</p>
        </section>
      ))}
    </div>
  );
}

/** From the page to a line: how many came how far, and how many were lost on the way. */
function Way({ numbers: { steps } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const opened = steps.page_view.now;
  const rows = VISIT_STEPS.map((step, index): CountRow => {
    const { now } = steps[step];
    const previous = VISIT_STEPS[index - 1];
    const lost = previous === undefined ? null : Math.max(0, steps[previous].now - now);
    return {
      key: step,
      name: texts.steps[step],
      bar: opened === 0 ? 0 : Math.min(1, now / opened),
      cells: [
        format.count(now),
        format.part(now, opened),
        format.count(lost),
        format.count(steps[step].before),
        writeChange(steps[step], format),
      ],
    };
  });
  return (
    <CountTable
      id="way"
      title={texts.way}
      note={texts.wayNote}
      columns={[
        { name: texts.step },
        { name: texts.now },
        { name: texts.ofOpened },
        { name: texts.lost },
        { name: texts.before, isWide: true },
        { name: texts.change, isWide: true },
      ]}
      rows={rows}
    />
  );
}

function Controls({ numbers: { controls } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const top = Math.max(1, ...controls.map(({ now }) => now));
  return (
    <CountTable
      id="controls"
      title={texts.controls}
      note={texts.controlsNote}
      columns={[
        { name: texts.control },
        { name: texts.now },
        { name: texts.onPhones, isWide: true },
        { name: texts.before },
        { name: texts.change },
      ]}
      rows={controls.map(({ name, now, before, mobile }) => ({
        key: name,
        name: texts.events[name],
        bar: now / top,
        cells: [
          format.count(now),
          format.count(mobile),
          format.count(before),
          writeChange({ now, before }, format),
        ],
      }))}
    />
  );
}

type ListProps = {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  /** What the names are of. */
  readonly what: string;
  readonly nameOf: (name: string) => string;
};

function Counts({
  counts,
  what,
  nameOf,
  ...panel
}: ListProps & { readonly counts: readonly NamedCount[] }): ReactNode {
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
        cells: [format.count(now), format.count(before), writeChange({ now, before }, format)],
      }))}
    />
  );
}

function Groups({
  groups,
  what,
  nameOf,
  ...panel
}: ListProps & { readonly groups: readonly VisitGroup[] }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const top = Math.max(1, ...groups.map(({ views }) => views.now));
  return (
    <CountTable
      {...panel}
      columns={[
        { name: what },
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
          writeChange(views, format),
          format.count(entered.now),
          format.part(entered.now, views.now),
        ],
      }))}
    />
  );
}

/** Names countries or languages in the language of the console. */
function useNames(type: 'region' | 'language'): (code: string) => string {
  const texts = useVisitorTexts();
  const { language } = useLocale();
  const names = new Intl.DisplayNames([language], { type });
  return (code) => {
    if (code === OTHER) return texts.other;
    return code === '' ? texts.unknown : (names.of(code) ?? code);
  };
}
