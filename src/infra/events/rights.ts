import { sql } from 'drizzle-orm'
import { type Db, databaseError, statement, type Tx } from '../db/database.ts'
import { append } from './emit.ts'

/**
 * Rights can end between a request's admission and its commit: a request may wait for its body or for a lock, and
 * meanwhile its caller may lose a role, the account, the token or the session, or the tournament may change its status.
 * Events that reduce rights are marked (`rights`). A command checks for such events under the lock under which events
 * are numbered. Such a change is acknowledged only after it was numbered, so no process carries out a barred command
 * after that. Commands wait only for that lock, which is held only during the commit.
 */

/** The caller and tournament of an admitted request, and the time of the check. */
export interface Judged {
  /** Number of the newest event known at that time. */
  readonly since: number
  readonly user: string
  /** The application of the request's token; null for a request without one. */
  readonly client: string | null
  /** The tournament of the request; null for none. */
  readonly tournament: string | null
}

/** The SQLSTATE that `hold_rights` raises. */
const changed = 'DB001'

const check = { name: 'events.hold_rights', text: 'select hold_rights($1::bigint, $2::uuid, $3::uuid, $4::uuid)' }
/** Most commands emit an event: the check is added to the statement of the first one, and runs before it. */
const checkAndAppend = {
  name: `${append.name}_holding_rights`,
  text: `${append.text} from hold_rights($9::bigint, $10::uuid, $11::uuid, $12::uuid)`,
}

/** Makes the commit fail if rights have changed; must be called after all events were emitted. */
export function checkRightsAtCommit(tx: Tx, { since, user, client, tournament }: Judged): void {
  const held = [since, user, client, tournament]
  const [first] = tx.last
  if (first?.name === append.name) tx.last[0] = { ...checkAndAppend, values: [...(first.values ?? []), ...held] }
  else tx.last.unshift({ ...check, values: held })
}

/** Whether a command failed at its commit because rights have changed. */
export function failedForRights(error: unknown): boolean {
  return databaseError(error)?.code === changed
}

const question = statement('events.rights_changed', (orm) =>
  orm.select({ isChanged: sql<boolean>`rights_changed(since, the_user, the_client, the_tournament)` }).from(
    sql`(values (${sql.placeholder('since')}::bigint, ${sql.placeholder('user')}::uuid, ${sql.placeholder('client')}::uuid,
        ${sql.placeholder('tournament')}::uuid)) as judged (since, the_user, the_client, the_tournament)`,
  ),
)

/** Whether rights have changed, for a command that was refused: a refusal may also reveal data. */
export async function haveRightsChanged(db: Db, judged: Judged): Promise<boolean> {
  const [row] = await question(db, { ...judged })
  return row?.isChanged ?? false
}
