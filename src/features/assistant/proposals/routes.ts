import { Type } from 'typebox'
import { isSignedIn, policy, type SignedIn } from '../../../core/actor.ts'
import { Answer, command, type Depends, query, Refusal, tournamentPath } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import { NextCursor, nullable, PageQuery } from '../../../core/schema.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { DivisionQuery } from '../../brackets/matches/bodies.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'
import { findMatch } from '../../brackets/matches/store/matches.ts'
import { MatchView, readMatchView } from '../../brackets/matches/views.ts'
import { DryRunQuery } from '../../brackets/results/bodies.ts'
import { referees } from '../../brackets/results/policy.ts'
import { LiveScore } from '../../brackets/results/routes/live.ts'
import { CorrectionView, readCorrectionView } from '../../brackets/results/views.ts'
import { loadState } from '../../flows/flowSessions/queries.ts'
import { findCurrentOfMatch } from '../../flows/flowSessions/store/sessions.ts'
import { WarningView } from '../../flows/flowSessions/views/judging.ts'
import { StateView } from '../../flows/flowSessions/views/state.ts'
import type { User } from '../../people/users/types.ts'
import { anyStaff, staffAudience } from '../../tournaments/access/policy.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import { AcceptBody, FinishBody, RejectBody } from './bodies.ts'
import { acceptProposal } from './commands/accepting.ts'
import { reportFinish } from './commands/finishing.ts'
import { withProposal } from './commands/refusing.ts'
import { rejectProposal } from './commands/rejecting.ts'
import { checkPlays, readHolding } from './queries.ts'
import { blockedByView } from './rules/holding.ts'
import { listProposals } from './store/proposals.ts'
import { FinishedSongView, finishedSongView, GameProposalView, readProposalView, readProposalViews } from './views.ts'

const set = command({
  name: 'live.set',
  method: 'PUT',
  path: `${tournamentPath}/matches/:match/live/:user`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  summary: 'Tell by hand how a player does while a map is played.',
  description:
    'For matches without an assistant. It is a value of the moment in the topic `…/live`, with the source `manual`: nobody keeps it, and it is gone after 15 seconds unless it is told again.',
  query: Type.Object(DivisionQuery),
  body: LiveScore,
  reply: { 204: nullable(Type.String()) },
  problems: {
    'match.ambiguous': 409,
    'tournament.cancelled': 409,
    'live.player_unknown': 400,
    'keys.limit': 429,
    'value.too_large': 413,
  },
  run: async ({ tx, tournament, match, user, body, services }) => {
    checkNotCancelled(tournament)
    await checkPlays(tx, match, user.guid)
    const topic = `/tournaments/${tournament.guid}/matches/${match.guid}/live`
    services.realtime.ephemeral.put(topic, `player:${user.guid}`, body, 'manual')
    return new Answer(204)
  },
})

const finish = command({
  name: 'live.finish',
  method: 'POST',
  path: `${tournamentPath}/matches/:match/live/:user/finish`,
  scope: 'rest:write',
  socket: true,
  allow: policy('the player themselves', (actor, { user }: { user: User }) => actor.guid === user.guid, isSignedIn),
  summary: 'Tell what a song came to, by the word of one’s own game.',
  description:
    'For matches without an assistant: the page `/bridge` sends it. Results of all players of one song become one proposal with the source `game` and the warning `unverified`, which an operator of the match accepts or rejects; nothing of it counts by itself. The same result told again changes nothing. After 20 seconds without another player the proposal is complete; until 10 minutes are over the others may join it.',
  query: Type.Object(DivisionQuery),
  body: FinishBody,
  reply: { 200: FinishedSongView },
  problems: {
    'match.ambiguous': 409,
    'match.cancelled': 409,
    'tournament.cancelled': 409,
    'live.player_unknown': 400,
    'game.player_mismatch': 403,
    'assistant.play_open': 409,
    'live.finishes_limit': 429,
  },
  run: async ({ tx, tournament, match, user, body, now }) => {
    checkNotCancelled(tournament)
    return finishedSongView(await reportFinish(tx, match.guid, user.guid, body, now))
  },
})

export const liveOperations = [set, finish]

const proposalsPath = `${tournamentPath}/matches/:match/proposals` as const
const proposalPath = `${proposalsPath}/:gameProposal` as const

const listName = 'game-proposals'

const BlockedBy = Type.Array(WarningView, { description: 'Blocking warnings that hold the flow of the match.' })

const list = query({
  name: 'proposals.list',
  method: 'GET',
  path: proposalsPath,
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'What songs of a match came to, as it was told by the assistant or by players’ games; newest first.',
  description:
    'Each proposal is of one start of a song. It becomes a result when it is accepted; until then nothing of it is in the match. While blocking warnings hold the flow of the match, `blockedBy` has them: nothing of that run is accepted until each was dismissed or answered with a penalty.',
  query: Type.Object({ ...DivisionQuery, ...PageQuery }),
  reply: {
    200: Type.Object({ proposals: Type.Array(GameProposalView), nextCursor: NextCursor, blockedBy: BlockedBy }),
  },
  problems: { 'match.ambiguous': 409 },
  audience: staffAudience,
  live: { about: 'match', query: ['division'] },
  run: async ({ db, tournament, match, query: { limit = defaultPageSize, before }, depends }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const rows = await listProposals(db, match.guid, { after, limit })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
    const { views, depends: tags } = await readProposalViews(db, items)
    const holding = await readHolding(db, match.guid)
    depends(tournament.guid, match.guid, ...tags, ...holding.depends)
    return { proposals: views, nextCursor, blockedBy: blockedByView(holding.warnings) }
  },
})

const Decided = Type.Object(
  {
    proposal: GameProposalView,
    match: MatchView,
    state: nullable(StateView, 'Of the session of the match; null where it is played without one.'),
    correction: nullable(CorrectionView, 'What it does to a match that was completed.'),
  },
  { title: 'DecidedProposal' },
)

const refusals = {
  409: Type.Object(
    {
      message: Type.String(),
      proposal: Type.Optional(GameProposalView),
      blockedBy: Type.Optional(BlockedBy),
    },
    { title: 'ProposalConflict' },
  ),
}

const accept = command({
  name: 'proposals.accept',
  method: 'POST',
  path: `${proposalPath}/accept`,
  scope: 'assistant',
  socket: true,
  allow: referees,
  summary: 'Make a proposal the result of its song.',
  description:
    'Its scores go to the session of the match, which decides when the map is final; without one the game is told. Scores may be corrected, and missing players added, with a reason; a proposal without players is accepted only with scores or a reason. While blocking warnings hold the run, it is refused with these (`flow.blocked`). In a completed match this is a correction: with `dryRun=true` it answers what would change; with the `revision` of that preview it does exactly that, and can be undone.',
  query: Type.Object({ ...DivisionQuery, ...DryRunQuery }),
  body: AcceptBody,
  bodyOptional: true,
  reply: { 200: Decided },
  problems: {
    'match.ambiguous': 409,
    'tournament.cancelled': 409,
    'bracket.unknown': 404,
    'bracket.incomplete': 409,
    'match.not_ready': 409,
    'match.no_opponent': 409,
    'match.cancelled': 409,
    'match.completed': 409,
    'proposal.decided': 409,
    'proposal.stale': 409,
    'proposal.reason_missing': 400,
    'proposal.nothing_to_preview': 400,
    'proposal.player_unknown': 400,
    'game.player_unknown': 400,
    'game.not_needed': 409,
    'game.out_of_order': 409,
    'correction.stale': 409,
    'correction.limit_reached': 409,
    'flow.over': 409,
    'flow.blocked': 409,
    'flow.wrong_action': 409,
    'score.user_unknown': 400,
    'score.run_unknown': 409,
  },
  refusals,
  run: async ({ tx, actor, tournament, gameProposal, query: { dryRun = false }, body = {}, now }) => {
    const { players = [], dryRun: isPreview = false, ...input } = body
    const named = players.map((player) => ({ ...player, user: player.user.toLowerCase() }))
    const acceptance = { ...input, players: named, dryRun: dryRun || isPreview }
    const accepted = await withProposal(tx, gameProposal.guid, () =>
      acceptProposal(tx, actor, tournament, gameProposal, acceptance, now),
    )
    if (accepted instanceof Refusal) return accepted
    const { proposal, correction } = accepted
    return {
      proposal: await readProposalView(tx, proposal),
      ...(await readMatchNow(tx, actor, proposal.matchGuid, now)),
      correction: correction === null ? null : await readCorrectionView(tx, correction),
    }
  },
})

const reject = command({
  name: 'proposals.reject',
  method: 'POST',
  path: `${proposalPath}/reject`,
  scope: 'assistant',
  socket: true,
  allow: referees,
  summary: 'Decide that a song gets no result by a proposal.',
  description: 'What the players did stays with it, for the staff.',
  query: Type.Object(DivisionQuery),
  body: RejectBody,
  reply: { 200: Decided },
  problems: { 'match.ambiguous': 409, 'proposal.decided': 409 },
  refusals,
  run: async ({ tx, actor, gameProposal, body: { reason }, now }) => {
    const rejected = await withProposal(tx, gameProposal.guid, () =>
      rejectProposal(tx, actor, gameProposal, reason, now),
    )
    return {
      proposal: await readProposalView(tx, rejected),
      ...(await readMatchNow(tx, actor, rejected.matchGuid, now)),
      correction: null,
    }
  },
})

/** Records no dependencies, because answers of commands are not cached. */
const nothing: Depends = Object.assign(() => {}, { until: () => {} })

/** The views of the match and its session after the command. */
async function readMatchNow(tx: Tx, actor: SignedIn, matchGuid: string, now: Date) {
  const [match, session] = await Promise.all([findMatch(tx, matchGuid), findCurrentOfMatch(tx, matchGuid)])
  if (match === undefined) throw unknownMatch()
  return {
    match: await readMatchView(tx, match, actor),
    state: session === undefined ? null : await loadState(tx, session, actor, now, nothing),
  }
}

export const proposalsOperations = [list, accept, reject]
