import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type {
  GameplayParameters,
  RealtimeScore,
  RealtimeScoreSchema,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import { Push_SongFinished_CompletionType as Completion } from '../../../src/infra/clients/assistant/generated/pushes_pb.ts'
import { defaultSong, type PlayerKind, type ScriptedScore, type ScriptedSong } from './scripts.ts'
import type { Timeline } from './timeline.ts'

/** Played songs, and what a game sends about them. */

export interface Playing {
  readonly parameters: GameplayParameters
  readonly song: ScriptedSong
  readonly timeline: Timeline
  startedAt: Timestamp | undefined
  last: RealtimeScore | undefined
}

export const completions = { passed: Completion.Passed, failed: Completion.Failed, quit: Completion.Quit }

/** The given scores, or some that rise to the final one. */
export function scoresOf(song: ScriptedSong): readonly ScriptedScore[] {
  const { scores, score, goodCuts, misses, badCuts } = song
  if (scores !== null) return scores
  return [0.2, 0.4, 0.6, 0.8, 0.99].map((at) => ({
    at,
    score: Math.round(score * at),
    combo: Math.round(goodCuts * at),
    misses: Math.round(misses * at),
    badCuts: Math.round(badCuts * at),
  }))
}

/** A score without its time. */
export function realtimeScore(
  { guid, kind }: { readonly guid: string; readonly kind: PlayerKind },
  given: ScriptedScore,
  playing: Playing | null,
): MessageInitShape<typeof RealtimeScoreSchema> {
  const { at, score, combo = 0, misses = 0, badCuts = 0, health = 0.5 } = given
  const song = playing?.song ?? defaultSong
  const maxScore = Math.max(1, Math.round(song.maxScore * at))
  const hand = { hit: combo, miss: misses, badCut: badCuts, avgCut: [70, 12, 28] }
  return {
    userGuid: guid,
    score,
    scoreWithModifiers: score,
    maxScore,
    maxScoreWithModifiers: maxScore,
    combo,
    maxCombo: combo,
    playerHealth: health,
    accuracy: given.accuracy ?? score / maxScore,
    songPosition: at * song.seconds,
    notesMissed: misses,
    badCuts,
    ...(kind === 'desktop' && { leftHand: hand, rightHand: hand }),
    ...(kind === 'desktop' && playing?.startedAt !== undefined && { songStartTime: playing.startedAt }),
  }
}
