import type { Actor } from '../../../core/actor.ts'
import { encodeCursor, jsonBytes, type MakingPosition, makingPosition, type Page, toPage } from '../../../core/page.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { judgeTeams } from '../registration/queries.ts'
import type { Findings } from '../registration/rules/players.ts'
import { isShown } from './rules.ts'
import { listDeskTeams } from './store.ts'
import type { DeskFilter, DeskTeam } from './types.ts'
import { type DeskEntry, deskEntry } from './views.ts'

/** The maximum number of teams on a page, and the number that a page with a filter looks at. */
export const maxDeskTeams = 500

export const deskList = 'registrations'

export interface Wanted {
  readonly filter: DeskFilter | undefined
  readonly after: MakingPosition | undefined
  readonly limit: number
}

/** The teams that a page judges, and whether further ones follow. */
export interface Candidates {
  readonly rows: readonly DeskTeam[]
  readonly hasMore: boolean
}

/**
 * Lists the teams that a page judges. A filter that only the rules can decide looks at a fixed number of teams, so its
 * page may have fewer than `limit` although another one follows.
 */
export async function listCandidates(
  db: Db,
  tournament: Tournament,
  { filter, after, limit }: Wanted,
): Promise<Candidates> {
  const looked = filter === undefined || filter === 'changed' ? limit : maxDeskTeams
  const rows = await listDeskTeams(db, tournament.guid, filter, after, looked + 1)
  return { rows: rows.slice(0, looked), hasMore: rows.length > looked }
}

interface Judging {
  readonly tournament: Tournament
  readonly registered: number
  readonly findings: Findings
  readonly viewer: Actor
  readonly now: Date
}

/** Judges the teams and makes a page of those that the filter shows. */
export async function readPage(
  db: Db,
  { rows, hasMore }: Candidates,
  { filter, limit }: Wanted,
  { tournament, registered, findings, viewer, now }: Judging,
): Promise<Page<DeskEntry>> {
  const entries = rows.map(({ team }) => ({ team, tournament, registered }))
  const judged = await judgeTeams(db, entries, findings, now)
  const shown = rows.flatMap((row, index) => {
    const verdict = judged[index]
    if (verdict === undefined || !isShown(filter, row.team, verdict.eligibility)) return []
    return [{ team: row.team, view: deskEntry(row, verdict, viewer) }]
  })
  const sizes = shown.map(({ view }) => jsonBytes(view))
  const page = toPage(deskList, shown, limit, ({ team }) => makingPosition(team), sizes)
  const last = hasMore ? rows.at(-1)?.team : undefined
  const beyond = last === undefined ? null : encodeCursor(deskList, makingPosition(last))
  return { items: page.items.map(({ view }) => view), nextCursor: page.nextCursor ?? beyond }
}
