import type { Actor } from '../../../../core/actor.ts'
import { everRevealed } from '../../../../engine/flows/replay.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { isPooler, mayReferee } from '../../../tournaments/access/policy.ts'
import { isCaster, seenPosition, viewerOf } from '../policy.ts'
import { listSeats, listSessions, type SessionFilter } from '../store/list.ts'
import { listRows } from '../store/rows.ts'
import type { SessionRecord } from '../types.ts'
import { namesOf } from '../views/players.ts'
import { isSecret, type LogRowView, logRowView, mayNameSeat } from '../views/row.ts'
import { type SessionView, sessionView } from '../views/session.ts'

/** Returns one record more than `limit` if there are more. */
export async function listSeen(
  db: Db,
  tournamentGuid: string,
  actor: Actor,
  filter: SessionFilter,
): Promise<readonly SessionRecord[]> {
  const viewer = {
    userGuid: actor.guid,
    isReferee: mayReferee(actor),
    isCaster: isCaster(actor),
    isPooler: isPooler(actor),
    roles: [...actor.roles],
  }
  return listSessions(db, tournamentGuid, viewer, filter)
}

export async function sessionViews(db: Db, records: readonly SessionRecord[], actor: Actor): Promise<SessionView[]> {
  const seats = await listSeats(
    db,
    records.map(({ guid }) => guid),
  )
  const teams = await listTeamSummaries(
    db,
    [...seats.values()].flat().map(({ team }) => team),
  )
  return records.map((record) =>
    sessionView(record, viewerOf(actor, record), { seats: seats.get(record.guid) ?? [], teams }),
  )
}

export interface LogPart {
  readonly rows: LogRowView[]
  /** Position of the last returned row if there are more rows; otherwise null. */
  readonly nextAfter: number | null
}

/** Rows of a log after a position, as the viewer may see them. */
export async function readLog(
  db: Db,
  record: SessionRecord,
  actor: Actor,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<LogPart> {
  const viewer = viewerOf(actor, record)
  const position = seenPosition(viewer, record)
  const last = Math.min(position, after + limit)
  const rows = await listRows(db, record.guid, after, last)
  const [users, seats, revealed] = await Promise.all([
    listUserFacts(db, [...new Set(rows.flatMap(({ by }) => by ?? []))]),
    // The names of seats are read only for free sessions, since seats of a match have teams.
    record.matchGuid === null && rows.some(mayNameSeat) ? listSeats(db, [record.guid]) : null,
    // The whole log decides which secrets were revealed, not only the page.
    rows.some(isSecret) ? everRevealed(record.guid, await listRows(db, record.guid, 0, position)) : new Set<number>(),
  ])
  const shown = { seats: viewer.seats, revealed, position, users, names: namesOf(seats?.get(record.guid) ?? []) }
  return {
    rows: rows.map((row) => logRowView(row, shown)),
    nextAfter: last < position && rows.length > 0 ? last : null,
  }
}
