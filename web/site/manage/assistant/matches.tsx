import { Link } from '@tanstack/react-router'
import type { Match, UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { divisionIds, useDivisions, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { matchLink, sideName } from '../../parts/match.tsx'

/** Matches by their GUIDs, and who plays in them. */

export function useMatch(match: string): Match | undefined {
  const tournament = useTournamentId()
  return useRead(match === '' ? null : address('/tournaments/{tournament}/matches/{match}', { tournament, match })).data
}

export const matchText = ({ number, sides }: Pick<Match, 'number' | 'sides'>): string =>
  words('assistant.match', { number, sides: sides.map(sideName).join(' – ') })

export function MatchName({ guid }: { readonly guid: string }) {
  const tournament = useTournamentId()
  const match = useMatch(guid)
  const divisions = useDivisions()
  if (match === undefined) return null
  const division = divisionIds(divisions.data).get(match.division)
  if (division === undefined) return <bdi>{matchText(match)}</bdi>
  return (
    <Link {...matchLink(tournament, division, match.number)}>
      <bdi>{matchText(match)}</bdi>
    </Link>
  )
}

/** The members of both teams of a match, the sides one after the other. */
export function usePeopleOf(match: Match | undefined): readonly UserCard[] {
  const tournament = useTournamentId()
  const [one, other] = match?.sides ?? []
  const at = (team: string | undefined) =>
    team === undefined ? null : address('/tournaments/{tournament}/teams/{team}', { tournament, team })
  const first = useRead(at(one?.team?.guid))
  const second = useRead(at(other?.team?.guid))
  return [first.data, second.data].flatMap((team) => team?.members.map(({ user }) => user) ?? [])
}

/** The matches that are played now. */
export function useRunning() {
  const tournament = useTournamentId()
  return useRead(address('/tournaments/{tournament}/matches', { tournament }, { status: 'running' }), { live: true })
}
