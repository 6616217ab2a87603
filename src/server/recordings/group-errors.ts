import type { ErrorGroup } from '../../contract/recordings.ts';
import type { Database, Row } from '../store/database.ts';

/** Somebody may have sent very many: only the newest count. */
const MAX_ERRORS = 20_000;
const MAX_GROUPS = 200;
const MAX_BROWSERS = 5;

/** Errors with the same message and place are a group. The most frequent groups count. */
const GROUPS = `
  with newest as (
    select e.message, e.place, e.at, e.session, s.browser, s.last_at,
      case when s.segments > 0 then 1 else 0 end as has_replay
    from (
      select * from recorded_errors where brand = $brand order by at desc limit ${MAX_ERRORS}
    ) as e join recorded_sessions as s on s.brand = e.brand and s.id = e.session
  ), grouped as (
    select message, place, count(*) as times, count(distinct session) as sessions,
      min(at) as first_at, max(at) as last_at
    from newest group by message, place order by times desc, last_at desc limit ${MAX_GROUPS}
  )`;

type GroupRow = Row & {
  readonly message: string;
  readonly place: string;
  readonly times: number;
  readonly sessions: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly session: string;
};
type BrowserRow = Row & { readonly message: string; readonly place: string; readonly browser: string };

/** Errors with the same message and place, the most frequent first, each with the newest session, best with a replay. */
export async function groupErrors({ read }: Pick<Database, 'read'>): Promise<readonly ErrorGroup[]> {
  const groups = await read<GroupRow>(
    `${GROUPS}, ranked as (
       select message, place, session,
         row_number() over (partition by message, place order by has_replay desc, last_at desc, session desc) as position
       from newest
     )
     select grouped.*, ranked.session from grouped
     join ranked on ranked.message = grouped.message and ranked.place = grouped.place and ranked.position = 1
     order by times desc, last_at desc`,
  );
  const browsers = await read<BrowserRow>(
    `${GROUPS}
     select newest.message, newest.place, newest.browser from grouped
     join newest on newest.message = grouped.message and newest.place = grouped.place
     where newest.browser <> '' group by newest.message, newest.place, newest.browser
     order by count(distinct newest.session) desc`,
  );
  return groups.map(({ message, place, times, sessions, first_at, last_at, session }) => ({
    message,
    place,
    times,
    sessions,
    firstAt: first_at,
    lastAt: last_at,
    browsers: browsers
      .filter((row) => row.message === message && row.place === place)
      .slice(0, MAX_BROWSERS)
      .map(({ browser }) => browser),
    session,
  }));
}
