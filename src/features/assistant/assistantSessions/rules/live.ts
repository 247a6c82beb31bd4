import { accuracyLimit } from '../../../../engine/score-limits.ts'
import type { LiveHand } from '../../../../infra/clients/assistant/messages.ts'
import type { Phase } from '../types.ts'
import type { LiveValue, Machine } from './machine.ts'
import { bannedModsOf, phaseOf, userOf } from './players.ts'

/** The values of the live topics. (AS14; RT21) */

const count = (value: number) => Math.min(1_000_000, Math.max(0, Math.round(value)))
const points = (value: number) => Math.min(2_000_000_000, Math.max(0, Math.round(value)))
const share = (value: number, most = 1) => (Number.isFinite(value) ? Math.min(most, Math.max(0, value)) : null)

export function liveScoreOf({ score, state }: LiveValue): object {
  if (score === null) return { state }
  const { songTime } = score
  return {
    score: points(score.score),
    modifiedScore: points(score.modifiedScore),
    maxScore: points(score.maxScore),
    accuracy: share(score.accuracy, accuracyLimit('any')),
    combo: count(score.combo),
    maxCombo: count(score.maxCombo),
    misses: count(score.misses),
    badCuts: count(score.badCuts),
    bombHits: count(score.bombHits),
    wallHits: count(score.wallHits),
    health: share(score.health),
    songTime: Number.isFinite(songTime) ? Math.min(36_000, Math.max(-3_600, songTime)) : null,
    left: handOf(score.left),
    right: handOf(score.right),
    fullCombo: score.misses === 0 && score.badCuts === 0,
    state,
  }
}

function handOf(hand: LiveHand | null): object | null {
  if (hand === null) return null
  const { hits, misses, badCuts, cut } = hand
  const isWhole = cut?.every((value) => Number.isFinite(value) && value >= 0 && value <= 1_000) ?? false
  return { hits: count(hits), misses: count(misses), badCuts: count(badCuts), cut: isWhole ? cut : null }
}

/** The phase that everybody sees. Before a song is played it is `idle`; a closed session is shown as closed. (D75) */
export function publicPhase(phase: Phase): 'idle' | 'playing' | 'finished' | 'closed' {
  return phase === 'playing' || phase === 'finished' || phase === 'closed' ? phase : 'idle'
}

export function liveSessionOf(machine: Machine): object {
  const phase = publicPhase(phaseOf(machine))
  const shown = machine.play ?? machine.lastPlay
  if (phase === 'idle' || shown === null) return { phase }
  const { hash, difficulty } = shown.map.map
  const startedAt = shown.startedAt === null ? null : new Date(shown.startedAt).toISOString()
  return { phase, mapHash: hash, difficulty, startedAt }
}

/** The state of each player's game client, for the staff. */
export function liveMachinesOf(machine: Machine): readonly (readonly [string, object])[] {
  return machine.expected.map((player) => {
    const user = userOf(machine, player)
    return [
      `player:${player.userGuid}`,
      {
        connection: user === null ? 'disconnected' : 'connected',
        download: user?.downloadState ?? null,
        play: user?.playState ?? null,
        mods: user === null ? null : bannedModsOf(machine, user).map((mod) => mod.slice(0, 64)),
        delayMs: machine.delays.get(player.userGuid) ?? null,
      },
    ]
  })
}
