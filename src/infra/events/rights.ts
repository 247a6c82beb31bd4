import { sql } from 'drizzle-orm'
import { type Db, databaseError, statement, type Tx } from '../db/database.ts'
import { append } from './emit.ts'

/**
 * Whoever is let in may wait, for their body or for a lock, and lose meanwhile what let them in: a role, the account, the token
 * or the sign-in, or the tournament its status. Events that take something away say so (`rights`). A command asks for them under the lock under
 * which events are numbered: whoever was told of such a change was told after it was numbered, so that no command which it
 * bars is carried out behind it, on any process. Nothing waits for anything but that lock, which is held for the commit
 * alone.
 */

/** Whom and what a request was judged by, and when. */
export interface Judged {
  /** Number of the newest event that was known then. */
  readonly since: number
  readonly user: string
  /** The application whose token came with it; null for whoever came without one. */
  readonly client: string | null
  /** The tournament that the request is about, if there is one. */
  readonly tournament: string | null
}

/** As `hold_rights` raises it. */
const changed = 'DB001'

const hold = { name: 'events.hold_rights', text: 'select hold_rights($1::bigint, $2::uuid, $3::uuid, $4::uuid)' }
/** Most commands write an event: the question goes with the first, and in front of it. */
const holdAndAppend = {
  name: `${append.name}_holding_rights`,
  text: `${append.text} from hold_rights($9::bigint, $10::uuid, $11::uuid, $12::uuid)`,
}

/** Has the transaction fail at its commit when rights have changed; call it once all events were emitted. */
export function holdRights(tx: Tx, { since, user, client, tournament }: Judged): void {
  const held = [since, user, client, tournament]
  const [first] = tx.last
  if (first?.name === append.name) tx.last[0] = { ...holdAndAppend, values: [...(first.values ?? []), ...held] }
  else tx.last.unshift({ ...hold, values: held })
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

/** The same of a command that was refused: a refusal tells how things stand, too. */
export async function haveRightsChanged(db: Db, judged: Judged): Promise<boolean> {
  const [row] = await question(db, { ...judged })
  return row?.isChanged ?? false
}
