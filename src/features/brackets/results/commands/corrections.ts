import type { SignedIn } from '../../../../core/actor.ts'
import { formatInstant, parseInstant } from '../../../../core/time.ts'
import { type Affected, describeChanges, restore } from '../../../../engine/corrections.ts'
import type { Resumption } from '../../../../engine/flows/rows.ts'
import type { Change } from '../../../../engine/progress.ts'
import { isSameMatch } from '../../../../engine/propagation.ts'
import type { Match } from '../../../../engine/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { type Altered, type Deliberation, deliberate, writeBoard } from '../../brackets/commands/board.ts'
import type { MatchRecord } from '../../matches/types.ts'
import type { CorrectionType } from '../events.ts'
import { checkCorrections, checkIsStanding, checkSeen, isCorrection, type ResultInput, readDecision } from '../rules.ts'
import { countCorrections, findCorrection, insertCorrection, markUndone } from '../store.ts'
import type { KeptMatch, ResultCorrection } from '../types.ts'
import { consider, emitMatchEvent, finish, type OpenMatch, openMatch, openResults, withState } from './play.ts'

/** The changes that a correction makes, or would make in a dry run. */
export interface Consequences {
  readonly dryRun: boolean
  /** The bracket's revision: before the correction in a dry run, otherwise after it. */
  readonly revision: number
  /** null in a dry run, or if nothing changed. */
  readonly correctionGuid: string | null
  readonly affected: readonly AffectedMatch[]
}

export interface AffectedMatch extends Affected {
  readonly matchGuid: string
}

export interface Correcting {
  readonly reason?: string | undefined
  /** The bracket's revision that the caller has seen. */
  readonly revision?: number | undefined
  readonly dryRun: boolean
}

/**
 * Reports the result of a match, or corrects its existing result.
 * @returns the match if it had no result; otherwise the consequences of the correction
 * @throws Problem `result.winner_missing`, `result.winner_impossible`, `match.completed`, `correction.stale`,
 * `correction.limit_reached`, and what the engine refuses
 */
export async function reportResult(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: MatchRecord,
  { input, ...correcting }: Correcting & { readonly input: ResultInput },
  now: Date,
): Promise<MatchRecord | Consequences> {
  const change: Change = { kind: 'result', match: found.number, decision: readDecision(input) }
  const opened = await openMatch(tx, actor, tournament, found, now)
  return withState(tx, actor, opened.match, async () => {
    const considered = await consider(tx, opened, change)
    if (correcting.dryRun) return preview(considered)
    const corrects = isCorrection(opened.match)
    // A given revision is checked even if the match has no result: it may have been reopened since the caller previewed
    // the correction.
    if (corrects || correcting.revision !== undefined) checkSeen(correcting.revision, opened.open.bracket)
    if (!corrects) return finish(tx, actor, opened, considered, 'match.completed', now)
    return correct(tx, actor, opened, considered, { type: 'match.corrected', reason: correcting.reason }, now)
  })
}

/**
 * Reopens a match whose result is not final after all. Its maps stay until they are reported again.
 * @throws Problem `match.completed`, `correction.stale`, `correction.limit_reached`, and what the engine refuses
 */
export async function reopenMatch(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: MatchRecord,
  { resume, ...correcting }: Correcting & { readonly resume?: Resumption | undefined },
  now: Date,
): Promise<Consequences> {
  const opened = await openMatch(tx, actor, tournament, found, now)
  return withState(tx, actor, opened.match, async () => {
    const considered = await consider(tx, opened, { kind: 'reopen', match: found.number })
    if (correcting.dryRun) return preview(considered)
    checkSeen(correcting.revision, opened.open.bracket)
    return correct(tx, actor, opened, considered, { type: 'match.reopened', reason: correcting.reason, resume }, now)
  })
}

export function preview({ open, before, after }: Deliberation): Consequences {
  const { revision } = open.bracket
  return { dryRun: true, revision, correctionGuid: null, affected: affectedOf(before, after, guidsOf(open.records)) }
}

interface Applying {
  readonly type: CorrectionType
  readonly reason?: string | undefined
  /** The flow session whose log has the correction already. */
  readonly session?: string | undefined
  /** For a reopened match: how its flow session continues. */
  readonly resume?: Resumption | undefined
}

/**
 * Saves a computed correction.
 * @throws Problem `correction.limit_reached`
 */
export async function correct(
  tx: Tx,
  actor: SignedIn,
  { match, settlePlacements }: OpenMatch,
  considered: Deliberation,
  { type, reason = '', session, resume }: Applying,
  now: Date,
): Promise<Consequences> {
  const { open, before, after } = considered
  if (after.length === 0) {
    return { dryRun: false, revision: open.bracket.revision, correctionGuid: null, affected: [] }
  }
  checkCorrections(await countCorrections(tx, match.guid))
  const [correctionGuid = ''] = await newGuids(tx, 1)
  const origin = {
    by: actor.guid,
    reason,
    correction: correctionGuid,
    ...(session === undefined ? {} : { session }),
    ...(resume === undefined ? {} : { resume }),
  }
  const altered = await writeBoard(tx, considered, origin, now)
  await settlePlacements()
  await insertCorrection(tx, {
    guid: correctionGuid,
    tournamentGuid: match.tournamentGuid,
    bracketGuid: match.bracketGuid,
    matchGuid: match.guid,
    actorGuid: actor.guid,
    reason: reason === '' ? null : reason,
    teamGuid: null,
    returned: null,
    before: kept(before, open.records),
    after: kept(after, recordsOf(altered)),
    revision: altered.bracket.revision,
    createdAt: now,
  })
  const corrected = altered.matches.find(({ guid }) => guid === match.guid) ?? match
  emitMatchEvent(tx, actor, {
    type,
    altered,
    before: match,
    after: corrected,
    more: { correctionGuid, ...(reason === '' ? {} : { reason }) },
  })
  return {
    dryRun: false,
    revision: altered.bracket.revision,
    correctionGuid,
    affected: affectedOf(before, after, guidsOf(recordsOf(altered))),
  }
}

/**
 * Restores everything that a correction altered; a dry run only tells what that would be.
 * @throws Problem `correction.unknown`, `correction.undone`, `correction.overtaken`
 */
export async function undoCorrection(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  { found, dryRun }: { readonly found: ResultCorrection; readonly dryRun: boolean },
  now: Date,
): Promise<Consequences> {
  const { open, settlePlacements } = await openResults(tx, actor, tournament, found, now)
  const correction = await findCorrection(tx, found.guid)
  checkIsStanding(correction)
  const considered = await deliberate(tx, open, (board) =>
    restore(board, matchesOf(correction.before), matchesOf(correction.after)),
  )
  if (dryRun) return preview(considered)
  const origin = { by: actor.guid, undoes: correction.guid }
  const altered = await writeBoard(tx, considered, origin, now, instantsOf(correction.before, considered.after))
  await settlePlacements()
  await markUndone(tx, correction.guid, now)
  const before = [...open.records.values()].find(({ guid }) => guid === correction.matchGuid)
  const after = altered.matches.find(({ guid }) => guid === correction.matchGuid) ?? before
  if (before === undefined || after === undefined) throw new Error('a correction outlived its match')
  emitMatchEvent(tx, actor, {
    type: 'correction.undone',
    altered,
    before,
    after,
    more: { correctionGuid: correction.guid },
  })
  return {
    dryRun: false,
    revision: altered.bracket.revision,
    correctionGuid: correction.guid,
    affected: affectedOf(considered.before, considered.after, guidsOf(open.records)),
  }
}

type Records = ReadonlyMap<number, MatchRecord>

export function recordsOf({ matches }: Altered): Records {
  return new Map(matches.map((match) => [match.number, match]))
}

export function guidsOf(records: Records): ReadonlyMap<number, string> {
  return new Map([...records].map(([number, { guid }]) => [number, guid]))
}

function affectedOf(
  before: readonly Match[],
  after: readonly Match[],
  guids: ReadonlyMap<number, string>,
): AffectedMatch[] {
  return describeChanges(before, after).map((affected) => {
    const matchGuid = guids.get(affected.number)
    if (matchGuid === undefined) throw new Error('an affected match was not read')
    return { ...affected, matchGuid }
  })
}

export function kept(matches: readonly Match[], records: Records): KeptMatch[] {
  return matches.map((match) => {
    const record = records.get(match.number)
    return { match, startedAt: written(record?.startedAt), completedAt: written(record?.completedAt) }
  })
}

function written(date: Date | null | undefined): string | null {
  return date === null || date === undefined ? null : formatInstant(date)
}

export function matchesOf(matches: readonly KeptMatch[]): readonly Match[] {
  return matches.map(({ match }) => match)
}

/**
 * Restores the start and end times of the matches. Leaves out a match that now has another outcome, because its team
 * has left since.
 */
export function instantsOf(matches: readonly KeptMatch[], restored: readonly Match[]) {
  const now = new Map(restored.map((match) => [match.number, match]))
  const asTheyWere = matches.filter(({ match }) => {
    const is = now.get(match.number)
    return is !== undefined && isSameMatch(match, is)
  })
  return new Map(
    asTheyWere.map(({ match, startedAt, completedAt }) => [
      match.number,
      { startedAt: read(startedAt), completedAt: read(completedAt) },
    ]),
  )
}

function read(text: string | null): Date | null {
  if (text === null) return null
  const instant = parseInstant(text)
  return instant.ok ? instant.value : null
}
