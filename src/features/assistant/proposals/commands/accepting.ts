import type { SignedIn } from '../../../../core/actor.ts'
import { Refusal } from '../../../../core/operation.ts'
import { invalid } from '../../../../core/problem.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { copyOf } from '../../../../engine/flows/replay.ts'
import { write } from '../../../../engine/flows/row-writer.ts'
import { judgeScores } from '../../../../engine/flows/scores.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { unknownMatch } from '../../../brackets/matches/rules.ts'
import { findMatch } from '../../../brackets/matches/store/matches.ts'
import type { StoredGame } from '../../../brackets/matches/types.ts'
import { type Consequences, correct, preview } from '../../../brackets/results/commands/corrections.ts'
import { type Author, consider, finish, type OpenMatch, openMatch } from '../../../brackets/results/commands/play.ts'
import { checkPlayers, checkSeen, readGame } from '../../../brackets/results/rules.ts'
import { followMatch } from '../../../flows/flowSessions/commands/following.ts'
import { type OpenSession, openSession, renewSeed, writeRows } from '../../../flows/flowSessions/commands/log.ts'
import { reportedRow } from '../../../flows/flowSessions/rules/games-by-hand.ts'
import { findCurrentOfMatch } from '../../../flows/flowSessions/store/sessions.ts'
import { syncMatch, writeLapse } from '../../../flows/play/commands/changing.ts'
import { listMembers } from '../../../teams/teams/store/teams.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { playingOf, seenSession } from '../queries.ts'
import { flowBlocked, warningsHoldingAt } from '../rules/holding.ts'
import type { Place } from '../rules/places.ts'
import {
  type CorrectedPlayer,
  checkSaysWhy,
  correctedBy,
  gameInput,
  leavesMissing,
  reportsOf,
  reportsWanted,
  resultOf,
  sidesOf,
} from '../rules/results.ts'
import {
  checkOpen,
  hasResultElsewhere,
  isLate,
  type SeenSession,
  type Standing,
  stale,
  standingOf,
  unknownProposal,
} from '../rules/standing.ts'
import { findPlay } from '../store/plays.ts'
import { lockWithOthers, updateProposal } from '../store/proposals.ts'
import type { GameProposal, Play } from '../types.ts'
import { told } from './refusing.ts'
import { supersede, supersedeOthers } from './superseding.ts'

/** Accepts a proposal: its scores become the song's result, in one transaction with all effects on the match. (AS19) */

export interface Acceptance {
  readonly players?: readonly CorrectedPlayer[]
  readonly reason?: string | undefined
  /** The bracket's revision that a preview answered; for the correction of a completed match. */
  readonly revision?: number | undefined
  /** Whether only the effects of correcting a completed match are answered. */
  readonly dryRun?: boolean
}

export interface Accepted {
  readonly proposal: GameProposal
  /** The effects of correcting a completed match; null if the match was not completed. */
  readonly correction: Consequences | null
}

/** What is locked, in this order: the bracket, the match's session, the proposal. */
interface Opened {
  readonly tournament: Tournament
  readonly match: OpenMatch
  readonly open: OpenSession | null
  readonly session: SeenSession | null
  readonly play: Play
  readonly proposal: GameProposal
  /** The match's other undecided proposals. */
  readonly others: readonly GameProposal[]
}

/**
 * Accepts a proposal.
 * @param author its `guid` is null if the service accepts a due proposal itself
 * @throws Problem `proposal.decided`, `proposal.stale`, `flow.blocked`, `proposal.reason_missing`, and the refusals of
 * corrections and of the match
 */
export async function acceptProposal(
  tx: Tx,
  author: Author,
  tournament: Tournament,
  found: GameProposal,
  input: Acceptance,
  now: Date,
): Promise<Accepted | Refusal> {
  const opened = await openProposal(tx, author, tournament, found, now)
  const { open, match, proposal, play } = opened
  checkOpen(proposal)
  // Only referees may act while the flow is paused. (match-flows: Clocks, line-ups, scores)
  if (open?.record.status === 'paused' && !isUser(author)) throw stale()
  const late = open === null ? null : await writeLapse(tx, tournament, open, match)
  // What the flow's clock has decided stays, and the operator must look at it before accepting.
  if (late !== null) return new Refusal(await told(tx, stale(), proposal))
  const standing = standingOf(play, match.match, opened.session)
  if (standing === 'moved') {
    const holding = open === null ? [] : warningsHoldingAt(open.machine, opened.session?.place ?? null)
    // The match has not moved on: flow and proposal wait for a referee.
    return holding.length > 0
      ? new Refusal(await told(tx, flowBlocked(holding), proposal))
      : refuseStale(tx, opened, now)
  }
  checkSaysWhy(proposal, input)
  const wanted = correctedBy(play, proposal, input.players ?? [], input.reason, formatInstant(now))
  const result = resultOf(play, wanted, playingOf(opened.session))
  const scored = { ...proposal, players: wanted.players, warnings: wanted.warnings }
  checkPreview(standing, input, match)
  // A song of a flow session needs no check of its players: the session becomes void when the match gets other teams,
  // and a player who has left a team since has played nevertheless.
  const isByHand = standing === 'hand' || (standing === 'correction' && play.flowSessionGuid === null)
  if (isByHand) await checkTeams(tx, match, scored)
  const correction = standing === 'correction' ? await correctGame(tx, author, opened, result, input, now) : null
  if (correction?.dryRun === true) return { proposal, correction }
  if (standing === 'flow') await reportRun(tx, author, opened, scored)
  if (standing === 'hand') await reportGame(tx, author, opened, scored, now)
  const accepted = await updateProposal(tx, proposal.guid, {
    status: 'accepted',
    decidedBy: author.guid,
    decidedAt: now,
    acceptAt: null,
    reason: input.reason ?? null,
    players: wanted.players,
    ...sidesOf(result),
  })
  emitAccepted(tx, author, accepted, wanted.changed)
  await supersedeOthers(tx, accepted, opened.others, now)
  return { proposal: accepted, correction }
}

/**
 * Refuses a stale proposal. If the song got a result elsewhere, the proposal is superseded here, because the follower
 * of the event log may not have done it yet.
 */
async function refuseStale(tx: Tx, { proposal, play, match, session }: Opened, now: Date): Promise<Refusal> {
  const hasResultNow = !isLate(proposal) && hasResultElsewhere(play, match.match, session)
  const refused = hasResultNow ? await supersede(tx, proposal, now) : proposal
  return new Refusal(await told(tx, stale(), refused))
}

/**
 * Checks that a preview makes sense and that its revision is still current, because the match may have been reopened
 * since.
 * @throws Problem `proposal.nothing_to_preview`, `correction.stale`
 */
function checkPreview(standing: Standing, { dryRun = false, revision }: Acceptance, { open }: OpenMatch): void {
  if (standing === 'correction') return
  if (dryRun) {
    throw invalid(
      'proposal.nothing_to_preview',
      'Only corrections of completed matches are previewed; leave out `dryRun`.',
    )
  }
  if (revision !== undefined) checkSeen(revision, open.bracket)
}

async function openProposal(
  tx: Tx,
  author: Author,
  tournament: Tournament,
  found: GameProposal,
  now: Date,
): Promise<Opened> {
  const record = await findMatch(tx, found.matchGuid)
  if (record === undefined) throw unknownMatch()
  const match = await openMatch(tx, author, tournament, record, now)
  const current = await findCurrentOfMatch(tx, record.guid)
  const open = current === undefined ? null : ((await openSession(tx, current.guid)) ?? null)
  const [others, play] = await Promise.all([lockWithOthers(tx, found), findPlay(tx, found.playGuid)])
  const proposal = others.find(({ guid }) => guid === found.guid)
  if (proposal === undefined || play === undefined) throw unknownProposal()
  const session = open === null ? null : seenSession(play, { ...open, rows: open.machine.rows })
  return { tournament, match, open, session, play, proposal, others }
}

/** Adds the scores to the flow session, as its own operation does. The flow decides when the map is final. */
async function reportRun(
  tx: Tx,
  author: Author,
  { tournament, match, open, session, play }: Opened,
  scored: GameProposal,
): Promise<void> {
  const playing = playingOf(session)
  if (open === null || playing === null) throw stale()
  const reports = reportsWanted(playing, reportsOf(play, scored, open.machine))
  const { game, chain, run }: Place = playing.place
  const guids = await newGuids(tx, reports.length)
  const complete = leavesMissing(playing, reports)
  const input = { scores: reports, complete, game, chain, run }
  const draft = judgeScores(open.machine, input, () => guids.shift() ?? '')
  if (draft === null) throw stale()
  const written = await writeRows(tx, open, [draft], author.guid)
  await syncMatch(tx, author, tournament, written, match)
}

/** Adds the game to the match, as the match's own operation does. */
async function reportGame(
  tx: Tx,
  author: Author,
  { match, play }: Opened,
  scored: GameProposal,
  now: Date,
): Promise<void> {
  const game = readGame(play.game, gameInput(play, scored))
  const considered = await consider(tx, match, { kind: 'game', match: match.match.number, game })
  await finish(tx, author, match, considered, 'match.game_reported', now)
}

async function checkTeams(tx: Tx, { match }: OpenMatch, { players }: Pick<GameProposal, 'players'>): Promise<void> {
  const teams = [match.team1Guid, match.team2Guid].filter((team) => team !== null)
  checkPlayers(
    players.map(({ userGuid, side, score }) => ({ userGuid, side, score })),
    match,
    await listMembers(tx, teams),
  )
}

/** Corrects a completed match, for an operator who has seen the effects. The correction can be reverted. (AS21) */
async function correctGame(
  tx: Tx,
  author: Author,
  { match, open, play }: Opened,
  result: StoredGame,
  { reason, revision, dryRun = false }: Acceptance,
  now: Date,
): Promise<Consequences> {
  const { number, games, decision } = match.match
  const corrected = games.map((game) => (game.number === play.game ? result : game))
  const considered = await consider(tx, match, {
    kind: 'games',
    match: number,
    games: corrected,
    decision,
    reopened: false,
  })
  if (dryRun) return preview(considered)
  checkSeen(revision, match.open.bracket)
  // A late proposal is never accepted by the service itself.
  if (!isUser(author)) throw stale()
  const log = open === null || !hasSay(open.machine) ? null : open
  const session = log === null ? {} : { session: log.record.guid }
  const consequences = await correct(
    tx,
    author,
    match,
    considered,
    { type: 'match.corrected', reason, ...session },
    now,
  )
  const { correctionGuid: correction } = consequences
  if (log === null || correction === null) return consequences
  const told = await correctLog(tx, author, log, result, { reason, correction })
  const after = (await findMatch(tx, match.match.guid)) ?? match.match
  await followMatch(tx, told, after, { by: author.guid, reason, correction })
  return consequences
}

function isUser(author: Author): author is SignedIn {
  return author.guid !== null
}

/** Whether the session's log decides the match. It does not if the flow was ended while the match continued. */
function hasSay({ ending }: Machine): boolean {
  return ending?.by !== 'finish' && ending?.by !== 'void'
}

/** Adds the same correction to the session's log. If the log makes the match run again, later draws use a new seed. */
async function correctLog(
  tx: Tx,
  { guid }: Author,
  open: OpenSession,
  result: StoredGame,
  { reason = null, correction }: { readonly reason: string | null | undefined; readonly correction: string },
): Promise<OpenSession> {
  const told = reportedRow(open.machine, result)
  const draft = { ...told, data: { ...told.data, correction } }
  const trial = write(copyOf(open.machine), [draft], guid, penOf(open)).machine
  if (trial.ending !== null) return writeRows(tx, open, [draft], guid)
  const renewed = await renewSeed(tx, open)
  const data = { reason, commitment: renewed.commitment, correction }
  return writeRows(tx, renewed, [draft, { kind: 'reopened', data }], guid)
}

function penOf({ seed, now }: OpenSession) {
  return { seed, now: now.getTime() }
}

function emitAccepted(tx: Tx, author: Author, proposal: GameProposal, corrected: readonly string[]): void {
  const { guid, tournamentGuid: tournament, matchGuid: match, game, run, reason } = proposal
  emit(tx, {
    type: 'assistant.proposal_accepted',
    subject: guid,
    actor: author.guid,
    after: { match, game, run, reason, corrected },
    tournament,
    touches: [match],
  })
}
