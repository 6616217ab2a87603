import { type ReactNode, useRef, useState } from 'react';
import type { ConsolePerson } from '../../contract/people.ts';
import { PEOPLE_PATHS } from '../../contract/paths.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import { Dialog } from '../parts/dialog.tsx';
import fieldStyles from '../parts/field.module.css';
import { findNeighbour, focusOn } from '../parts/find-neighbour.ts';
import kit from '../parts/view.module.css';
import { RoleOptions } from './form-parts.tsx';
import styles from './people.module.css';
import { usePeopleTexts } from './texts.ts';

/** A person, with the role and what an owner may do to the account. */
export function PersonRow({
  person,
  isYou,
  isLastOwner,
  now,
  isBusy,
  onChange,
  onReset,
}: {
  readonly person: ConsolePerson;
  /** Whether it is the person who looks at the list. */
  readonly isYou: boolean;
  /** The last owner who can sign in stays one: the server refuses to change, to reset and to remove them. */
  readonly isLastOwner: boolean;
  readonly now: number;
  readonly isBusy: boolean;
  readonly onChange: (path: string, body: object) => Promise<boolean>;
  readonly onReset: (name: string) => Promise<boolean>;
}): ReactNode {
  const texts = usePeopleTexts();
  const [question, setQuestion] = useState<Question>();
  const { name, sessions } = person;
  const row = useRef<HTMLLIElement>(null);
  const remove = async (): Promise<void> => {
    const neighbour = findNeighbour(row.current);
    if (await onChange(PEOPLE_PATHS.remove, { name })) focusOn(neighbour);
  };
  const endSessions = async (): Promise<void> => {
    // The button goes with the sessions.
    if (await onChange(PEOPLE_PATHS.endSessions, { name })) focusOn(row.current);
  };
  return (
    <li className={kit.item} aria-label={name} ref={row}>
      <p>
        <span className={kit.name}>{name}</span>{' '}
        <span className={kit.note}>
          {isYou && `${texts.isYou} · `}
          <PersonState person={person} now={now} />
          {' · '}
          {texts.openSessions(sessions)}
          {isLastOwner && ` · ${texts.lastOwner}`}
        </span>
      </p>
      <PersonActions
        person={person}
        isLastOwner={isLastOwner}
        isBusy={isBusy}
        onRole={(chosen) => void onChange(PEOPLE_PATHS.role, { name, role: chosen })}
        onEndSessions={() => void endSessions()}
        onAsk={setQuestion}
      />
      {question !== undefined && (
        <Dialog
          title={question === 'reset' ? texts.resetTitle(name) : texts.removeTitle(name)}
          action={texts[question]}
          isDangerous
          onAct={() => void (question === 'reset' ? onReset(name) : remove())}
          onClose={() => setQuestion(undefined)}
        >
          <p>{question === 'reset' ? texts.resetNote(name) : texts.removeNote(name)}</p>
        </Dialog>
      )}
    </li>
  );
}

/** What is asked before it is done. */
type Question = 'reset' | 'remove';

type PersonActionsProps = {
  readonly person: ConsolePerson;
  readonly isLastOwner: boolean;
  readonly isBusy: boolean;
  readonly onRole: (role: string) => void;
  readonly onEndSessions: () => void;
  readonly onAsk: (question: Question) => void;
};

function PersonActions({
  person: { name, role, sessions },
  isLastOwner,
  isBusy,
  onRole,
  onEndSessions,
  onAsk,
}: PersonActionsProps): ReactNode {
  const texts = usePeopleTexts();
  return (
    <div className={`${buttons.row} ${styles.actions}`}>
      <select
        className={`${fieldStyles.input} ${styles.role}`}
        aria-label={texts.roleOf(name)}
        title={isLastOwner ? texts.lastOwner : undefined}
        value={role}
        disabled={isBusy || isLastOwner}
        onChange={({ currentTarget }) => onRole(currentTarget.value)}
      >
        <RoleOptions />
      </select>
      {sessions > 0 && (
        <button className={buttons.button} type="button" disabled={isBusy} onClick={onEndSessions}>
          {texts.endSessions}
        </button>
      )}
      {!isLastOwner && (
        <>
          <button className={buttons.button} type="button" disabled={isBusy} onClick={() => onAsk('reset')}>
            {texts.reset}
          </button>
          <button className={buttons.danger} type="button" disabled={isBusy} onClick={() => onAsk('remove')}>
            {texts.remove}
          </button>
        </>
      )}
    </div>
  );
}

function PersonState({ person, now }: { readonly person: ConsolePerson; readonly now: number }): ReactNode {
  const texts = usePeopleTexts();
  if (person.isSetUp) return texts.setUp;
  if (person.invitedUntil === null) return texts.invitationOver;
  return <Clock time={person.invitedUntil} now={now} write={texts.invitedUntil} />;
}
