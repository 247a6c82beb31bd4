import { isDeepStrictEqual } from 'node:util'
import { formatInstant } from '../../../../core/time.ts'
import { accuracyLimit } from '../../../../engine/score-limits.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { modifierRuleOf, playingOf, readMatchOf, type SeenMatch } from '../queries.ts'
import { anotherMap, runAt } from '../rules/places.ts'
import { resultOf, sidesOf } from '../rules/results.ts'
import { hasResultElsewhere, isOpen, unknownProposal } from '../rules/standing.ts'
import { absentPlayers, warningsOf } from '../rules/warnings.ts'
import { listFinishes, lockPlay } from '../store/plays.ts'
import { insertProposal, lockProposal, lockProposalOfPlay, updateProposal } from '../store/proposals.ts'
import { type PlaySettings, readSettings } from '../store/settings.ts'
import type { Finish, GameProposal, Play, ProposalWarning, ProposedPlayer } from '../types.ts'

export interface Proposing {
  /** Codes that the caller has found, such as `interrupted`. */
  readonly warnings: readonly string[]
  /** Whether no further results are awaited. */
  readonly isComplete?: boolean
  readonly now: Date
}

type Content = Omit<GameProposal, 'guid' | 'decidedBy' | 'decidedAt' | 'reason'>

/**
 * Creates or updates the proposal of a song from the saved results; a decided one stays unchanged. The match is only
 * read: whether it takes the result is checked at the acceptance. (AS17, AS18)
 */
export async function propose(
  tx: Tx,
  playGuid: string,
  { warnings: given, isComplete = false, now }: Proposing,
): Promise<GameProposal> {
  const play = await lockPlay(tx, playGuid)
  const seen = play && (await readMatchOf(tx, play))
  if (play === undefined || seen === undefined) throw unknownProposal()
  const known = await lockProposalOfPlay(tx, playGuid)
  if (known !== undefined && !isOpen(known)) return known
  const [finishes, settings] = await Promise.all([listFinishes(tx, playGuid), readSettings(tx, play.guid)])
  const isWhole = isComplete || absentPlayers(play, finishes).length === 0 || known?.status === 'proposed'
  const warnings = judge(play, finishes, seen, settings, { given, isComplete: isWhole, before: known?.warnings ?? [] })
  const content = contentOf(play, finishes, warnings, seen, now)
  const status = isWhole ? ('proposed' as const) : ('collecting' as const)
  const whole = { ...content, status, acceptAt: acceptAtOf({ ...content, status }, known, settings, now) }
  if (known === undefined) return emitMade(tx, await insertProposal(tx, whole))
  const { createdAt: _made, ...changes } = whole
  if (isDeepStrictEqual({ ...known, ...changes }, known)) return known
  return emitMade(tx, await updateProposal(tx, known.guid, changes))
}

/** Adds a warning to an undecided proposal, which then no longer accepts itself. */
export async function addWarning(tx: Tx, play: Play, warning: ProposalWarning): Promise<void> {
  const known = await lockProposalOfPlay(tx, play.guid)
  if (known === undefined || !isOpen(known)) return
  if (known.warnings.some((each) => isDeepStrictEqual(each, warning))) return
  emitMade(tx, await updateProposal(tx, known.guid, { warnings: [...known.warnings, warning], acceptAt: null }))
}

/** Stops a proposal from accepting itself after the first refusal. Operators decide it. (AS20) */
export async function leaveToOperators(tx: Tx, guid: string): Promise<void> {
  const proposal = await lockProposal(tx, guid)
  if (proposal === undefined || !isOpen(proposal) || proposal.acceptAt === null) return
  emitMade(tx, await updateProposal(tx, guid, { acceptAt: null }))
}

function judge(
  play: Play,
  finishes: readonly Finish[],
  { match, session }: SeenMatch,
  { bannedMods, modifiers }: PlaySettings,
  found: {
    readonly given: readonly string[]
    readonly isComplete: boolean
    readonly before: readonly ProposalWarning[]
  },
): ProposalWarning[] {
  const playing = playingOf(session)
  const run = playing === null ? null : runAt(playing.machine, playing.place)
  const another = playing === null ? null : anotherMap(playing, play.map)
  return warningsOf(play, finishes, {
    ...found,
    given: [...found.given, ...(another === null ? [] : [another])],
    bannedMods,
    modifiers,
    aboveMax: modifierRuleOf(session),
    lineup: run?.run.lineups.flat() ?? null,
    isLate: match.status === 'completed' || hasResultElsewhere(play, match, session),
  })
}

function contentOf(
  play: Play,
  finishes: readonly Finish[],
  warnings: readonly ProposalWarning[],
  { session }: SeenMatch,
  now: Date,
): Omit<Content, 'status' | 'acceptAt'> {
  const { guid: playGuid, tournamentGuid, matchGuid, game, run, map, source } = play
  const players = finishes.map(proposedPlayer)
  const result = resultOf(play, { players, warnings }, playingOf(session))
  const receivedAt = finishes.map((finish) => finish.receivedAt).toSorted((one, other) => +other - +one)[0] ?? now
  const { serverHost, serverVersion, assistantMatch } = play
  return {
    tournamentGuid,
    matchGuid,
    playGuid,
    game,
    run,
    map,
    source,
    players,
    warnings,
    createdAt: now,
    ...sidesOf(result),
    provenance: { serverHost, serverVersion, assistantMatch, receivedAt: formatInstant(receivedAt) },
  }
}

/** A result as it is shown. Impossible numbers become null, and a negative score 0. */
function proposedPlayer({ playGuid: _play, warnings: _warnings, mods: _mods, receivedAt, ...finish }: Finish) {
  const { score, accuracy, endTime } = finish
  const isShare = accuracy !== null && accuracy >= 0 && accuracy <= accuracyLimit('any')
  return {
    ...finish,
    score: Math.max(0, score),
    accuracy: isShare ? accuracy : null,
    endTime: Number.isFinite(endTime) ? endTime : null,
    receivedAt: formatInstant(receivedAt),
  } satisfies ProposedPlayer
}

/**
 * When the proposal accepts itself. null if it has a warning, is still collecting, or does not come from the assistant.
 * (AS20, AS31)
 */
function acceptAtOf(
  { status, source, warnings }: Pick<Content, 'status' | 'source' | 'warnings'>,
  known: GameProposal | undefined,
  { autoAcceptMs }: PlaySettings,
  now: Date,
): Date | null {
  if (status !== 'proposed' || source !== 'assistant' || warnings.length > 0 || autoAcceptMs === null) return null
  return known?.acceptAt ?? new Date(now.getTime() + autoAcceptMs)
}

function emitMade(tx: Tx, proposal: GameProposal): GameProposal {
  const { guid, tournamentGuid: tournament, matchGuid: match, game, run, status, winner, warnings } = proposal
  const codes = [...new Set(warnings.map(({ code }) => code))]
  emit(tx, {
    type: 'assistant.proposal_made',
    subject: guid,
    actor: null,
    after: { match, game, run, status, winner, warnings: codes },
    tournament,
    touches: [match],
  })
  return proposal
}
