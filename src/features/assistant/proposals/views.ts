import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { completions } from '../../brackets/matches/types.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag, UserCard, userCard } from '../../people/users/views.ts'
import type { GameProposal, Play } from './types.ts'

const Count = nullable(Type.Integer())
const Accuracy = nullable(Type.Number({ examples: [0.9734] }))
const Side = Type.Integer({ minimum: 1, maximum: 2 })

export const PlayedMapView = Type.Object(
  {
    poolMapGuid: nullable(Guid, 'In a pool; null for a map that was chosen freely.'),
    hash: Type.String(),
    characteristic: Type.String({ examples: ['Standard'] }),
    difficulty: Type.String({ examples: ['ExpertPlus'] }),
    name: Type.String(),
    modifiers: Type.Array(Type.String({ examples: ['GhostNotes'] })),
    maxScore: Count,
  },
  { title: 'PlayedMap' },
)

/** A proposal as staff see it. (assistant: Records) */
export const GameProposalView = Type.Object(
  {
    guid: Guid,
    match: Guid,
    play: { ...Guid, description: 'The start of the song that it is about.' },
    game: Type.Integer({ examples: [1] }),
    run: Type.Integer({ examples: [1] }),
    map: PlayedMapView,
    players: Type.Array(
      Type.Object({
        userGuid: Guid,
        side: Side,
        score: Type.Integer({ examples: [912_345] }),
        maxScore: Count,
        accuracy: Accuracy,
        misses: Count,
        badCuts: Count,
        goodCuts: Count,
        maxCombo: nullable(Type.Integer(), 'As it was told while the song was played.'),
        completion: oneOf(completions),
        endTime: nullable(Type.Number(), 'Seconds.'),
        receivedAt: Instant,
      }),
    ),
    sides: Type.Array(Type.Object({ score: Type.Number(), accuracy: Accuracy }), {
      minItems: 2,
      maxItems: 2,
      description: 'By the rules of the flow, where there is one.',
    }),
    winner: nullable(Side, 'Provisional: side that would have the map.'),
    warnings: Type.Array(
      Type.Object({
        code: Type.String({ examples: ['player_missing'] }),
        user: nullable(Guid, 'null for what is about the whole song.'),
      }),
    ),
    source: oneOf(['assistant', 'game', 'manual']),
    status: oneOf(['collecting', 'proposed', 'accepted', 'rejected', 'superseded']),
    decidedBy: nullable(UserCard, 'null while nobody has decided, and where it accepted itself.'),
    decidedAt: nullable(Instant),
    reason: nullable(Type.String()),
    provenance: Type.Object({
      serverHost: nullable(Type.String()),
      serverVersion: nullable(Type.Integer()),
      assistantMatch: nullable(Type.String(), 'GUID at the assistant.'),
      receivedAt: Instant,
    }),
    acceptAt: nullable(Instant, 'When it accepts itself, unless somebody decides before.'),
    createdAt: Instant,
  },
  { title: 'GameProposal' },
)
export type GameProposalView = Static<typeof GameProposalView>

/**
 * The song that players' own games reported, as these players see it: the results, without warnings or decision. (AS31)
 */
export const FinishedSongView = Type.Object(
  {
    proposal: { ...Guid, description: 'What the song is proposed as, for the staff of the tournament.' },
    status: oneOf(['collecting', 'proposed', 'accepted', 'rejected', 'superseded']),
    game: Type.Integer({ examples: [1] }),
    run: Type.Integer({ examples: [1] }),
    players: Type.Array(
      Type.Object({
        userGuid: Guid,
        side: Side,
        score: Type.Integer({ examples: [912_345] }),
        completion: oneOf(completions),
      }),
      { description: 'Whose games have told of the song so far.' },
    ),
  },
  { title: 'FinishedSong' },
)

export function finishedSongView({
  play,
  proposal,
}: {
  readonly play: Pick<Play, 'game' | 'run'>
  readonly proposal: GameProposal
}): Static<typeof FinishedSongView> {
  return {
    proposal: proposal.guid,
    status: proposal.status,
    game: play.game,
    run: play.run,
    players: proposal.players.map(({ userGuid, side, score, completion }) => ({ userGuid, side, score, completion })),
  }
}

/** The views of proposals for staff, and the GUIDs of the users that the answer depends on. */
export async function readProposalViews(
  db: Db,
  proposals: readonly GameProposal[],
): Promise<{ readonly views: GameProposalView[]; readonly depends: readonly string[] }> {
  const users = await listUserFacts(db, [...new Set(proposals.flatMap(({ decidedBy }) => decidedBy ?? []))])
  const views = proposals.map((proposal): GameProposalView => {
    const { guid, game, run, map, players, sides, winner, warnings, source, status, reason, provenance } = proposal
    const author = users.get(proposal.decidedBy ?? '')
    return {
      guid,
      game,
      run,
      winner,
      source,
      status,
      reason,
      provenance: { ...provenance },
      match: proposal.matchGuid,
      play: proposal.playGuid,
      map: { ...map, modifiers: [...map.modifiers] },
      players: players.map((player) => ({ ...player })),
      sides: sides.map((side) => ({ ...side })),
      warnings: warnings.map((warning) => ({ ...warning })),
      decidedBy: author === undefined ? null : userCard(author),
      decidedAt: formatInstant(proposal.decidedAt),
      acceptAt: formatInstant(proposal.acceptAt),
      createdAt: formatInstant(proposal.createdAt),
    }
  })
  return { views, depends: [playedTag, ...users.keys()] }
}

export async function readProposalView(db: Db, proposal: GameProposal): Promise<GameProposalView> {
  const { views } = await readProposalViews(db, [proposal])
  const [view] = views
  if (view === undefined) throw new Error('one proposal was asked for')
  return view
}
