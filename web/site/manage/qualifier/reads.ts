import type { Qualifier, QualifierAttempt, QualifierStandings } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { wholeOf } from '../../parts/numbers.ts'

/** What the page of the qualifier reads, and what counts of an attempt. */

export const ledgerPath = (tournament: string) => `/tournaments/${tournament}/qualifier/attempts`

/** What becomes of an attempt in the standings, and why. */
export interface Verdict {
  readonly counts: boolean
  readonly text: string
}

const not = (text: string): Verdict => ({ counts: false, text })

/** The best attempts of players by map, which the standings tell. */
export function verdictsOf(standings: QualifierStandings | undefined, { settings }: Qualifier) {
  const players = new Map(standings?.overallStandings.map((row) => [row.user.guid, row]))
  const ofTeams = new Map(
    standings?.songAndTeamProcesses.flatMap(({ mapGuid, teams }) =>
      teams.map(({ team, members }) => [`${mapGuid} ${team.guid}`, members.map(({ user }) => user.guid)] as const),
    ),
  )
  return (attempt: QualifierAttempt): Verdict => {
    const { voidedAt, voidReason, completion, score, user, map, team } = attempt
    if (voidedAt !== null) return not(words('ledger.void', { reason: voidReason ?? '' }))
    if (completion === 'placeholder') return not(words('ledger.placeholder'))
    if (completion === 'quit') return not(words('ledger.quit'))
    if (completion === 'failed' && !settings.failCounts) return not(words('ledger.failed'))
    const best = players.get(user.guid)?.perMap.find(({ mapGuid }) => mapGuid === map.guid)
    if (best === undefined || best.score === null) return not(words('ledger.not-yet'))
    if (score < best.score) return not(words('ledger.better', { score: wholeOf(best.score) }))
    if (!best.counts) return not(words('ledger.not-among', { count: settings.countMaps ?? 0 }))
    const counted = ofTeams.get(`${map.guid} ${team?.guid}`)
    if (team !== null && counted !== undefined && !counted.includes(user.guid))
      return { counts: true, text: words('ledger.player-only') }
    return { counts: true, text: words('ledger.counts') }
  }
}
