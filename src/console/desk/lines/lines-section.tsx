import { type ReactNode, useMemo, useState } from 'react';
import type { ConsoleLine, ConsoleLines } from '../../../contract/console.ts';
import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import { nameHost } from '../../../contract/site/parse-host.ts';
import { useView } from '../../live/use-view.ts';
import { Panel } from '../../parts/panel.tsx';
import { Fields } from '../fields/fields.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { PublishDialog } from '../publish-dialog.tsx';
import { useDesk } from '../store/desk-context.ts';
import { AddLines } from './add-lines.tsx';
import { listEntries, readLines } from './line-entries.ts';
import { LineItem } from './line-item.tsx';
import styles from './lines-section.module.css';

const SETTINGS = [
  'lines.fallback',
  'lines.ports',
  'lines.marker',
  'lines.markerHeader',
  'lines.steering',
  'lines.prefetch',
  'lines.sticky',
] as const;

const HEALTH = [
  'lines.health.path',
  'lines.health.expect.status',
  'lines.health.expect.text',
  'lines.health.everySeconds',
  'lines.health.timeoutMs',
] as const;

/** The lines of the site, each with its state, and the settings of marker, ports and health. */
export function LinesSection({
  version,
  wantedLine,
}: {
  readonly version: number;
  /** The host of the line that is to be replaced; empty if none is. */
  readonly wantedLine: string;
}): ReactNode {
  const texts = useDeskTexts();
  const { snapshot, isViewer } = useDesk();
  const { data } = useView<ConsoleLines>(CONSOLE_PATHS.lines, version);
  const live = useMemo(
    () => new Map(data?.lines.map((line): [string, ConsoleLine] => [nameHost(line.host), line])),
    [data],
  );
  const [isPublishing, setIsPublishing] = useState(false);
  const lines = readLines(snapshot.json);
  const count = listEntries(snapshot.json).length;
  return (
    <>
      <Panel title={texts.sections.lines} note={texts.linesNote} id="desk-lines">
        <ol className={styles.lines}>
          {lines.map(({ line, place }) => (
            <LineItem
              key={line.host}
              line={line}
              place={place}
              count={count}
              live={live.get(nameHost(line.host))}
              isKnown={data !== undefined}
              isLocked={isViewer}
              isWanted={wantedLine !== '' && nameHost(line.host) === nameHost(wantedLine)}
              onPublish={() => setIsPublishing(true)}
            />
          ))}
        </ol>
        {!isViewer && <AddLines lines={lines} />}
        {isPublishing && <PublishDialog onClose={() => setIsPublishing(false)} />}
      </Panel>
      <Panel title={texts.moreLineSettings} id="desk-line-settings">
        <Fields names={SETTINGS} />
      </Panel>
      <Panel title={texts.healthTitle} note={texts.healthNote} id="desk-health">
        <Fields names={HEALTH} />
      </Panel>
    </>
  );
}
