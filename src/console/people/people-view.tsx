import { type ReactNode, useState } from 'react';
import type {
  ConsoleInvitation,
  ConsoleNewToken,
  ConsolePeople,
  ConsoleToken,
} from '../../contract/people.ts';
import { MAX_TOKEN_DAYS } from '../../contract/people.ts';
import { PEOPLE_PATHS } from '../../contract/paths.ts';
import { useView } from '../live/use-view.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import fieldStyles from '../parts/field.module.css';
import { findNeighbour, focusOn } from '../parts/find-neighbour.ts';
import { LabelledInput } from '../parts/labelled-input.tsx';
import { Empty, Loading, Panel, Problem } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { Form, RoleField, type Sent, ShownOnce } from './form-parts.tsx';
import styles from './people.module.css';
import { usePeopleTexts } from './texts.ts';
import { useChange } from './use-change.tsx';
import { PersonRow } from './person-row.tsx';

/** Everybody who may sign in, and every token. */
export function PeopleView({ you }: { readonly you: string }): ReactNode {
  const [version, setVersion] = useState(1);
  const { data, hasFailed } = useView<ConsolePeople>(PEOPLE_PATHS.people, version);
  if (data === undefined) return <Loading hasFailed={hasFailed} />;
  const reload = (): void => setVersion((before) => before + 1);
  return (
    <div className={kit.view}>
      <PeoplePanel people={data} you={you} onChange={reload} />
      <TokensPanel people={data} onChange={reload} />
    </div>
  );
}

type PeoplePanelProps = { readonly people: ConsolePeople; readonly onChange: () => void };
type Link = { readonly name: string; readonly url: string };

function PeoplePanel({
  people: { people, at },
  you,
  onChange,
}: PeoplePanelProps & { readonly you: string }): ReactNode {
  const texts = usePeopleTexts();
  const { send, problem, isBusy } = useChange();
  const owners = people.filter(({ role, isSetUp }) => role === 'owner' && isSetUp);
  const [link, setLink] = useState<Link>();
  const change = async (path: string, body: object): Promise<boolean> => {
    const isDone = (await send(path, body)) !== undefined;
    if (isDone) onChange();
    return isDone;
  };
  const makeLink = async (
    path: string,
    body: { readonly name: string; readonly role?: string },
  ): Promise<boolean> => {
    const made = await send<ConsoleInvitation>(path, body);
    if (made === undefined) return false;
    setLink({ name: body.name, url: `${location.origin}${made.path}` });
    onChange();
    return true;
  };
  return (
    <Panel title={texts.people} note={texts.rolesNote} id="people">
      <div className={kit.stack}>
        <Problem text={problem} />
        {link && (
          <ShownOnce
            title={texts.linkTitle(link.name)}
            note={texts.linkNote}
            text={link.url}
            onClose={() => setLink(undefined)}
          />
        )}
        <ul>
          {people.map((person) => (
            <PersonRow
              key={person.name}
              person={person}
              isYou={person.name === you}
              isLastOwner={owners.length === 1 && owners.includes(person)}
              now={at}
              isBusy={isBusy}
              onChange={change}
              onReset={(name) => makeLink(PEOPLE_PATHS.reset, { name })}
            />
          ))}
        </ul>
        <AddingForm
          title={texts.inviteTitle}
          onSend={async ({ read, reset }) => {
            if (await makeLink(PEOPLE_PATHS.invite, { name: read('name'), role: read('role') })) reset();
          }}
        >
          <LabelledInput label={texts.name} name="name" autoComplete="off" maxLength={64} required />
          <RoleField label={texts.role} />
          <button className={buttons.main} disabled={isBusy}>
            {texts.invite}
          </button>
        </AddingForm>
      </div>
    </Panel>
  );
}

function TokensPanel({ people: { tokens, at }, onChange }: PeoplePanelProps): ReactNode {
  const texts = usePeopleTexts();
  const { send, problem, isBusy } = useChange();
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>();
  const submit = async ({ read, reset }: Sent): Promise<void> => {
    const name = read('name');
    const body = { name, role: read('role'), days: Number(read('days')) };
    const answer = await send<ConsoleNewToken>(PEOPLE_PATHS.makeToken, body);
    if (answer === undefined) return;
    setMade({ name, token: answer.token });
    reset();
    onChange();
  };
  const revoke = async (id: string, button: Element): Promise<void> => {
    const neighbour = findNeighbour(button.closest('li'));
    if ((await send(PEOPLE_PATHS.revokeToken, { id })) === undefined) return;
    onChange();
    focusOn(neighbour);
  };
  return (
    <Panel title={texts.tokens} note={texts.tokensNote} id="tokens">
      <div className={kit.stack}>
        <Problem text={problem} />
        {made && (
          <ShownOnce
            title={texts.tokenTitle(made.name)}
            note={texts.tokenNote}
            text={made.token}
            onClose={() => setMade(undefined)}
          />
        )}
        {tokens.length === 0 && <Empty>{texts.noTokens}</Empty>}
        <ul>
          {tokens.map((token) => (
            <li key={token.id} className={kit.item} aria-label={token.name}>
              <TokenText token={token} now={at} />
              <button
                className={buttons.danger}
                type="button"
                disabled={isBusy}
                onClick={({ currentTarget }) => void revoke(token.id, currentTarget)}
              >
                {texts.revoke}
              </button>
            </li>
          ))}
        </ul>
        <AddingForm title={texts.makeTitle} onSend={submit}>
          <LabelledInput label={texts.name} name="name" autoComplete="off" maxLength={64} required />
          <RoleField label={texts.role} />
          <LabelledInput
            label={texts.days}
            name="days"
            type="number"
            min={1}
            max={MAX_TOKEN_DAYS}
            defaultValue={90}
            required
          />
          <button className={buttons.main} disabled={isBusy}>
            {texts.make}
          </button>
        </AddingForm>
      </div>
    </Panel>
  );
}

/** Fields in a row that add somebody or something to the list above. */
function AddingForm({
  title,
  onSend,
  children,
}: {
  readonly title: string;
  readonly onSend: (sent: Sent) => Promise<void>;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.adding}>
      <h3 className={kit.name}>{title}</h3>
      <Form className={fieldStyles.row} label={title} onSend={onSend}>
        {children}
      </Form>
    </div>
  );
}

function TokenText({ token, now }: { readonly token: ConsoleToken; readonly now: number }): ReactNode {
  const texts = usePeopleTexts();
  return (
    <p>
      <span className={kit.name}>{token.name}</span>{' '}
      <span className={kit.note}>
        {[texts.roles[token.role], `${texts.madeBy} ${token.madeBy}`, texts.ends].join(' · ')}{' '}
        <Clock time={token.endsAt} now={now} />
      </span>
    </p>
  );
}
