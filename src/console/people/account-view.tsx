import { type ReactNode, useState } from 'react';
import type {
  ConsoleAccount,
  ConsoleRecoveryCodes,
  ConsoleSecondFactor,
  ConsoleSession,
} from '../../contract/people.ts';
import { PEOPLE_PATHS } from '../../contract/paths.ts';
import { useView } from '../live/use-view.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import { findNeighbour, focusOn } from '../parts/find-neighbour.ts';
import { LabelledInput } from '../parts/labelled-input.tsx';
import { Loading, Panel, Problem } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { Form, type Sent, ShownOnce } from './form-parts.tsx';
import styles from './people.module.css';
import { usePeopleTexts } from './texts.ts';
import { useChange } from './use-change.tsx';

/** One's own account: who one is, the password, the second factor, and where one is signed in. */
export function AccountView(): ReactNode {
  const texts = usePeopleTexts();
  const [version, setVersion] = useState(1);
  const { data: account, hasFailed } = useView<ConsoleAccount>(PEOPLE_PATHS.account, version);
  if (account === undefined) return <Loading hasFailed={hasFailed} />;
  const reload = (): void => setVersion((before) => before + 1);
  return (
    <div className={styles.columns}>
      <div className={kit.view}>
        <Panel title={texts.you} id="you">
          <p className={kit.name}>{texts.youAre(account.name, texts.roles[account.role])}</p>
          <p className={kit.note}>{texts.kinds[account.kind]}</p>
        </Panel>
        {account.kind === 'password' && <SessionsPanel account={account} onChange={reload} />}
      </div>
      {account.kind === 'password' && (
        <div className={kit.view}>
          <SecondFactorPanel account={account} onChange={reload} />
          <PasswordPanel account={account} onChange={reload} />
        </div>
      )}
    </div>
  );
}

type AccountPanelProps = { readonly account: ConsoleAccount; readonly onChange: () => void };

function PasswordPanel({ account, onChange }: AccountPanelProps): ReactNode {
  const texts = usePeopleTexts();
  const { send, problem, isBusy } = useChange();
  const [isDone, setIsDone] = useState(false);
  const submit = async ({ read, reset }: Sent): Promise<void> => {
    setIsDone(false);
    const body = { current: read('current'), next: read('next') };
    if ((await send(PEOPLE_PATHS.password, body)) === undefined) return;
    reset();
    setIsDone(true);
    onChange();
  };
  return (
    <Panel title={texts.changePassword} id="password">
      <Form onSend={submit}>
        {/* So that a password manager knows whose password it is. */}
        <input type="hidden" autoComplete="username" value={account.name} readOnly />
        <LabelledInput
          label={texts.currentPassword}
          name="current"
          type="password"
          autoComplete="current-password"
          required
        />
        <LabelledInput
          label={texts.newPassword}
          hint={texts.newPasswordHint}
          name="next"
          type="password"
          autoComplete="new-password"
          required
        />
        <Problem text={problem} />
        {isDone && <p role="status">{texts.passwordChanged}</p>}
        <div className={buttons.row}>
          <button className={buttons.main} disabled={isBusy}>
            {texts.changePassword}
          </button>
        </div>
      </Form>
    </Panel>
  );
}

function SecondFactorPanel({ account, onChange }: AccountPanelProps): ReactNode {
  const texts = usePeopleTexts();
  const { send, problem, isBusy } = useChange();
  const [factor, setFactor] = useState<ConsoleSecondFactor>();
  const [codes, setCodes] = useState<readonly string[]>();
  const left = account.recoveryCodes ?? 0;
  const prepare = async (): Promise<void> => setFactor(await send(PEOPLE_PATHS.secondFactor, {}));
  const fetchCodes = async (path: string, body: object): Promise<void> => {
    const answer = await send<ConsoleRecoveryCodes>(path, body);
    if (answer === undefined) return;
    setFactor(undefined);
    setCodes(answer.codes);
    onChange();
  };
  return (
    <Panel title={texts.secondFactor} id="second-factor">
      <div className={kit.stack}>
        {left === 0 ? <p className={kit.notice}>{texts.noRecovery}</p> : <p>{texts.recoveryLeft(left)}</p>}
        <Problem text={problem} />
        {factor && (
          <NewApp
            factor={factor}
            isBusy={isBusy}
            onCode={(code) => fetchCodes(PEOPLE_PATHS.secondFactorCode, { code })}
          />
        )}
        {codes && (
          <ShownOnce
            title={texts.codesTitle}
            note={texts.codesNote}
            text={codes.join('\n')}
            onClose={() => setCodes(undefined)}
          />
        )}
        <div className={buttons.row}>
          <button className={buttons.button} type="button" disabled={isBusy} onClick={() => void prepare()}>
            {texts.newApp}
          </button>
          <button
            className={left === 0 ? buttons.main : buttons.button}
            type="button"
            disabled={isBusy}
            onClick={() => void fetchCodes(PEOPLE_PATHS.recoveryCodes, {})}
          >
            {texts.newCodes}
          </button>
        </div>
      </div>
    </Panel>
  );
}

function NewApp({
  factor,
  isBusy,
  onCode,
}: {
  readonly factor: ConsoleSecondFactor;
  readonly isBusy: boolean;
  readonly onCode: (code: string) => Promise<void>;
}): ReactNode {
  const texts = usePeopleTexts();
  return (
    <Form onSend={({ read }) => onCode(read('code'))}>
      <p>{texts.scan}</p>
      <img
        className={styles.qr}
        src={`data:image/svg+xml,${encodeURIComponent(factor.qr)}`}
        alt={texts.qr}
        width="240"
        height="240"
      />
      <p>
        {texts.secret} <code className={styles.key}>{factor.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <LabelledInput
        label={texts.newAppCode}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
      <div className={buttons.row}>
        <button className={buttons.main} disabled={isBusy}>
          {texts.useApp}
        </button>
      </div>
    </Form>
  );
}

function SessionsPanel({ account, onChange }: AccountPanelProps): ReactNode {
  const texts = usePeopleTexts();
  const { send, problem, isBusy } = useChange();
  const end = async (id: string | null, button: Element): Promise<void> => {
    // The button that ends all others goes with them. It is below the list.
    const neighbour = findNeighbour(button.closest(id === null ? 'div' : 'li'));
    if ((await send(PEOPLE_PATHS.endSession, { id })) === undefined) return;
    onChange();
    focusOn(neighbour);
  };
  const { sessions, at } = account;
  return (
    <Panel title={texts.sessions} note={texts.sessionsNote} id="sessions">
      <div className={kit.stack}>
        <Problem text={problem} />
        <ul>
          {sessions.map((session) => (
            <li key={session.id} className={kit.item}>
              <SessionText session={session} now={at} />
              {session.isThis ? (
                <span className={kit.note}>{texts.thisSession}</span>
              ) : (
                <button
                  className={buttons.button}
                  type="button"
                  disabled={isBusy}
                  onClick={({ currentTarget }) => void end(session.id, currentTarget)}
                >
                  {texts.endSession}
                </button>
              )}
            </li>
          ))}
        </ul>
        {sessions.length > 1 && (
          <div className={buttons.row}>
            <button
              className={buttons.button}
              type="button"
              disabled={isBusy}
              onClick={({ currentTarget }) => void end(null, currentTarget)}
            >
              {texts.endOthers}
            </button>
          </div>
        )}
      </div>
    </Panel>
  );
}

function SessionText({
  session,
  now,
}: {
  readonly session: ConsoleSession;
  readonly now: number;
}): ReactNode {
  const texts = usePeopleTexts();
  return (
    <p>
      <span className={kit.name}>{session.prefix}</span>{' '}
      <span className={kit.note}>
        {texts.started} <Clock time={session.startedAt} now={now} />
        {' · '}
        {texts.lastUsed} <Clock time={session.seenAt} now={now} />
      </span>
    </p>
  );
}
