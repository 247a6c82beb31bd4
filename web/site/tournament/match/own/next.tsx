import { Link } from '@tanstack/react-router'
import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { divisionIds, useDivisions } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { matchLink, sideName } from '../../../parts/match.tsx'
import { useRoundNames } from '../../../parts/rounds.ts'
import { Instant } from '../../../parts/time.tsx'
import type { Index } from '../people.ts'
import { sideAt, type View } from '../view.ts'

/** What comes next for the reader's team. */
export function Next({ view, at }: { readonly view: View; readonly at: Index | null }) {
  const roundOf = useRoundNames()
  const { tournament, match, zone } = view
  const team = at === null ? null : sideAt(view, at).team
  const divisions = useDivisions().data
  const { data } = useRead(
    team === null
      ? null
      : address('/tournaments/{tournament}/matches', { tournament }, { team: team.guid, status: open, limit: 5 }),
    { live: true },
  )
  if (team === null || data === undefined) return null
  const [next] = data.matches.filter(({ guid }) => guid !== match.guid)
  if (next === undefined) return <p>{words('own.no-next')}</p>
  const other = next.sides.find((side) => side.team?.guid !== team.guid)
  const division = divisionIds(divisions).get(next.division) ?? next.division
  return (
    <p>
      {words('own.next')}{' '}
      <Link {...matchLink(tournament, division, next.number)}>
        {words('match.context', { number: next.number, round: roundOf(next) })}
      </Link>
      {other !== undefined && (
        <>
          , {words('play.meets')} <bdi>{sideName(other)}</bdi>
        </>
      )}
      {next.scheduledAt !== null && (
        <>
          , <Instant at={next.scheduledAt} zone={zone} />
        </>
      )}
    </p>
  )
}

const open = 'ready,running,waiting,locked'
