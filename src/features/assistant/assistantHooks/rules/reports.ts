import type { Finished } from '../../../../infra/clients/assistant/messages.ts'
import type { ExpectedPlayer, Finish, Play, PlayState } from '../../proposals/types.ts'

/** Finds the song that a report from a webhook is about. (AS16, AS26) */

/** The states in which a song is played, or its results are not complete. */
const reportable: ReadonlySet<PlayState> = new Set(['sending', 'started', 'uncertain'])

export function isReportable({ state }: Pick<Play, 'state'>): boolean {
  return reportable.has(state)
}

export interface Reported {
  readonly play: Play
  readonly player: ExpectedPlayer
}

/**
 * Finds the song that a report is about. A report counts with our tournament and either our match or, if the client
 * names no match, a player and level of one of our songs. (AS16)
 * @param plays the newest first
 * @param tournament GUID of the assistant's tournament
 */
export function reportedPlay(report: Finished, plays: readonly Play[], tournament: string): Reported | null {
  if (report.tournament !== null && report.tournament !== tournament) return null
  for (const play of plays) {
    if (!isReportable(play)) continue
    if (report.match === null ? report.hash !== play.map.hash : report.match !== play.assistantMatch) continue
    const player = play.expected.find(
      ({ platformId }) => platformId !== null && platformId === report.player.platformId,
    )
    if (player !== undefined) return { play, player }
  }
  return null
}

export function finishOf({ player, play }: Reported, report: Finished, receivedAt: Date): Omit<Finish, 'playGuid'> {
  const { score, maxScore, accuracy, misses, badCuts, goodCuts, completion, endTime } = report
  const { map, state } = play
  const isOtherMap = report.hash !== map.hash || report.characteristic !== map.characteristic
  const warnings = [
    ...(isOtherMap ? ['wrong_map'] : report.difficulty !== map.difficulty ? ['wrong_difficulty'] : []),
    ...(state === 'uncertain' ? ['late'] : []),
  ]
  const { userGuid, side } = player
  return {
    userGuid,
    side,
    score,
    maxScore,
    accuracy,
    misses,
    badCuts,
    goodCuts,
    completion,
    endTime,
    warnings,
    maxCombo: null,
    mods: report.player.mods.slice(0, 50),
    receivedAt,
  }
}
