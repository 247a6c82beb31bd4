import { Link } from '@tanstack/react-router'
import type { Match } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { divisionIds, useDivisions, useShownRead } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Blocks, Empty, Loaded } from '../../parts/loaded.tsx'
import { Board, Boards } from '../../parts/match.tsx'
import type { Place } from '../../parts/phase.ts'
import { useRoundNames } from '../../parts/rounds.ts'
import { Section } from '../../parts/section.tsx'
import { useSpoilers } from '../../parts/spoilers.tsx'
import { ChannelList } from '../channels.tsx'
import { inOrder, useRunning } from '../match-list.ts'
import { PlanTable } from '../plan-table.tsx'

/** A tournament while it is played: what is live, what comes next, and where it can be watched. */

const shownNext = 6

export function Now({ tournament }: { readonly tournament: Place }) {
  const roundOf = useRoundNames()
  const { id, guid, timezone } = tournament
  const isHidden = useSpoilers(guid)
  const divisions = divisionIds(useDivisions().data)
  const running = useRunning(id)
  // The list is in the order of the bracket, so the earliest ones are looked for among many.
  const next = useShownRead(
    address(
      '/tournaments/{tournament}/matches',
      { tournament: id },
      { status: 'ready,waiting,locked', limit: 100, delayed: true },
    ),
    { live: true },
  )
  const divisionOf = (match: Match) => divisions.get(match.division) ?? match.division
  const coming = next.data && inOrder(next.data.matches).slice(0, shownNext)
  return (
    <>
      <Section
        title={words('home.live')}
        beside={
          <Link to="/t/$tournament/matches" params={{ tournament: id }}>
            {words('tournament.all-matches')}
          </Link>
        }
      >
        <Loaded of={running} rows={4}>
          {({ matches }) =>
            matches.length === 0 ? (
              <Empty>{words('home.nothing-live')}</Empty>
            ) : (
              <Boards>
                {matches.map((match) => (
                  <Board
                    key={match.guid}
                    match={match}
                    tournament={id}
                    division={divisionOf(match)}
                    context={roundOf(match)}
                    isHidden={isHidden}
                  />
                ))}
              </Boards>
            )
          }
        </Loaded>
      </Section>
      {coming !== undefined && coming.length > 0 && (
        <Section
          title={words('tournament.next')}
          beside={
            <Link to="/t/$tournament/schedule" params={{ tournament: id }}>
              {words('tournament.schedule')}
            </Link>
          }
        >
          <PlanTable
            caption={words('tournament.next')}
            matches={coming}
            tournament={id}
            divisions={divisions}
            zone={timezone}
            isHidden={isHidden}
            hasDay
          />
        </Section>
      )}
      {next.isPending && <Blocks rows={4} />}
      <ChannelList tournament={tournament} matches={new Map(next.data?.matches.map((match) => [match.guid, match]))} />
    </>
  )
}
