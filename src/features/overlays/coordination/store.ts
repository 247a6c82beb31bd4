import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../infra/db/database.ts'
import { assistantSessions } from '../../assistant/assistantSessions/tables.ts'
import { gameProposals } from '../../assistant/proposals/tables.ts'
import { brackets, divisions } from '../../brackets/brackets/tables.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { overlayControls } from '../control/tables.ts'
import { overlays } from '../overlays/tables.ts'
import type { CoordinatedMatch, HeldSession, OpenProposal, PointedOverlay } from './types.ts'

/** Maximum number of running matches, and of next matches. */
export const maxMatches = 20

const columns = {
  guid: matches.guid,
  number: matches.number,
  divisionGuid: matches.divisionGuid,
  divisionName: divisions.name,
  bracketGuid: matches.bracketGuid,
  bracketName: brackets.name,
  section: matches.section,
  round: matches.round,
  status: matches.status,
  team1Guid: matches.team1Guid,
  team2Guid: matches.team2Guid,
  sides: matches.sides,
  bestOf: matches.bestOf,
  scheduledAt: matches.scheduledAt,
  startedAt: matches.startedAt,
}

const tournament = eq(matches.tournamentGuid, sql.placeholder('tournament'))

const running = statement('coordination.running', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .innerJoin(brackets, eq(brackets.guid, matches.bracketGuid))
    .innerJoin(divisions, eq(divisions.guid, matches.divisionGuid))
    .where(and(tournament, eq(matches.status, 'running')))
    .orderBy(asc(matches.startedAt), asc(matches.createdAt), asc(matches.number), asc(matches.guid))
    .limit(maxMatches),
)

/** In the order in which they began. */
export function listRunning(db: Db, tournamentGuid: string): Promise<CoordinatedMatch[]> {
  return running(db, { tournament: tournamentGuid })
}

const next = statement('coordination.next', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .innerJoin(brackets, eq(brackets.guid, matches.bracketGuid))
    .innerJoin(divisions, eq(divisions.guid, matches.divisionGuid))
    .where(
      and(
        tournament,
        inArray(matches.status, ['locked', 'waiting', 'ready']),
        sql`(${matches.scheduledAt} is not null or ${matches.status} = 'ready')`,
      ),
    )
    .orderBy(asc(matches.scheduledAt), asc(matches.createdAt), asc(matches.number), asc(matches.guid))
    .limit(maxMatches),
)

/** Scheduled matches first, by time; then matches that can be played now. */
export function listNext(db: Db, tournamentGuid: string): Promise<CoordinatedMatch[]> {
  return next(db, { tournament: tournamentGuid })
}

const bracketsOf = statement('coordination.brackets', (orm) =>
  orm
    .select({ guid: brackets.guid })
    .from(brackets)
    .innerJoin(divisions, eq(divisions.guid, brackets.divisionGuid))
    .where(eq(divisions.tournamentGuid, sql.placeholder('tournament'))),
)

/** Returns the GUIDs of all brackets: every change of a match touches its bracket. */
export async function listBracketGuids(db: Db, tournamentGuid: string): Promise<string[]> {
  return (await bracketsOf(db, { tournament: tournamentGuid })).map(({ guid }) => guid)
}

const given = sql.placeholder('matches')

const pointing = statement('coordination.overlays', (orm) =>
  orm
    .select({ matchGuid: sql<string>`${overlayControls.matchGuid}`, guid: overlays.guid, name: overlays.name })
    .from(overlayControls)
    .innerJoin(overlays, eq(overlays.guid, overlayControls.overlayGuid))
    .where(sql`${overlayControls.matchGuid} = any(${given}::uuid[])`)
    .orderBy(asc(overlays.createdAt), asc(overlays.guid)),
)

/** Returns the overlays that point at these matches, oldest first. */
export function listPointing(db: Db, guids: readonly string[]): Promise<PointedOverlay[]> {
  return pointing(db, { matches: guids })
}

const held = statement('coordination.assistant_sessions', (orm) =>
  orm
    .select({
      matchGuid: assistantSessions.matchGuid,
      guid: assistantSessions.guid,
      status: assistantSessions.status,
      phase: assistantSessions.phase,
    })
    .from(assistantSessions)
    .where(and(sql`${assistantSessions.matchGuid} = any(${given}::uuid[])`, isNull(assistantSessions.closedAt))),
)

/** Returns the open sessions at the assistant; a match has at most one. */
export function listHeld(db: Db, guids: readonly string[]): Promise<HeldSession[]> {
  return held(db, { matches: guids })
}

const proposed = statement('coordination.proposals', (orm) =>
  orm
    .select({
      matchGuid: gameProposals.matchGuid,
      guid: gameProposals.guid,
      game: gameProposals.game,
      run: gameProposals.run,
      status: gameProposals.status,
      createdAt: gameProposals.createdAt,
    })
    .from(gameProposals)
    .where(
      and(
        sql`${gameProposals.matchGuid} = any(${given}::uuid[])`,
        inArray(gameProposals.status, ['collecting', 'proposed']),
      ),
    )
    .orderBy(asc(gameProposals.createdAt), asc(gameProposals.guid)),
)

/** Returns the undecided proposals, oldest first. */
export function listProposed(db: Db, guids: readonly string[]): Promise<OpenProposal[]> {
  return proposed(db, { matches: guids })
}
