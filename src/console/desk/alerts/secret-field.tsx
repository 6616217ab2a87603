import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Switch } from '../../parts/switch.tsx';
import kit from '../../parts/view.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import { ValueField } from '../fields/value-field.tsx';
import { useDesk } from '../store/desk-context.ts';
import { changeValue } from '../store/changes.ts';
import { type Place, nameOf, readValue } from '../store/draft-files.ts';
import own from './alerts.module.css';
import { proposeSecret } from './read-alerts.ts';
import { useAlertTexts } from './texts.ts';
import buttons from '../../parts/buttons.module.css';

type SecretFieldProps = {
  readonly place: Place;
  readonly spec: FieldSpec;
  readonly label: string;
  readonly help: string | undefined;
  /** The name of the channel. */
  readonly channel: string;
};

/** Names the place of a secret, and says how the secret gets there. */
export function SecretField({ place, spec, label, help, channel }: SecretFieldProps): ReactNode {
  const texts = useAlertTexts();
  const { store, snapshot, findLock } = useDesk();
  const value = readValue(snapshot.json, place);
  const proposed = proposeSecret(channel);
  const hint = spec.fallback === undefined ? texts.secretHint : proposed;
  const isFile = typeof value === 'string' && value.startsWith('file:');
  return (
    <div className={own.secret}>
      <ValueField place={place} spec={{ ...spec, placeholder: hint }} label={label} help={help} />
      {typeof value === 'string' && value !== '' && (
        <details className={kit.details}>
          <summary>{texts.howToSet}</summary>
          <HowToSet place={value} />
          {findLock(place.path) === undefined && (
            <button
              className={buttons.button}
              type="button"
              onClick={() =>
                void store.save(`swap ${nameOf(place)}`, [
                  changeValue(place, isFile ? proposed : `file:${channel}`),
                ])
              }
            >
              {isFile ? texts.useVariable : texts.useFile}
            </button>
          )}
        </details>
      )}
    </div>
  );
}

const WAYS = ['systemd', 'compose'] as const;

function HowToSet({ place }: { readonly place: string }): ReactNode {
  const texts = useAlertTexts();
  const [way, setWay] = useState<(typeof WAYS)[number]>('systemd');
  const name = place.slice(place.indexOf(':') + 1);
  const isFile = place.startsWith('file:');
  const choices = WAYS.map((value) => ({ value, text: texts.ways[value] }));
  const row = `${name}=${texts.secretItself}`;
  return (
    <div className={own.how}>
      <p className={kit.note}>{texts.howToSetNote}</p>
      {isFile ? (
        <>
          <p>{texts.setFile}</p>
          <Row text={`secrets/${name}`} />
        </>
      ) : (
        <>
          <Switch name={texts.howToSet} choices={choices} value={way} onChoose={setWay} />
          <p>{way === 'systemd' ? texts.setSystemd : texts.setCompose}</p>
          <Row text={row} />
          {way === 'compose' && <Row text={`${name}: \${${name}}`} />}
        </>
      )}
    </div>
  );
}

function Row({ text }: { readonly text: string }): ReactNode {
  return (
    <div className={own.row}>
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
