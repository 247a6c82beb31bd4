import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Match } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePages, useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Board, Boards, MatchLine, MatchTable, roundName } from '../parts/match.tsx'
import { More } from '../parts/more.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Section } from '../parts/section.tsx'
import { SpoilerSwitch, useSpoilers } from '../parts/spoilers.tsx'
import { dayOf } from '../parts/time.tsx'
import { divisionIds, useDivisions, useTournament, useTournamentId } from './reads.ts'

/** All matches of the tournament by day; those without a time by round. */

const route = getRouteApi('/t/$tournament/matches')
const filters: readonly (readonly [string | undefined, WordId])[] = [
  [undefined, 'matches.all'],
  ['running,ready', 'matches.open'],
  ['completed', 'matches.over'],
]

export function Matches() {
  const tournament = useTournamentId()
  const { team, status, official } = route.useSearch()
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const navigate = useNavigate({ from: '/t/$tournament/matches' })
  const ids = divisionIds(useDivisions().data)
  const pages = usePages(
    address(
      '/tournaments/{tournament}/matches',
      { tournament },
      { limit: 100, delayed: true, ...(team && { team }), ...(status && { status }), ...(official && { official }) },
    ),
  )
  const running = useRead(
    address('/tournaments/{tournament}/matches', { tournament }, { status: 'running', limit: 24, delayed: true }),
    { live: true, delayed: true },
  )
  const all = pages.data?.pages.flatMap(({ matches }) => matches)
  const divisionOf = (match: Match) => ids.get(match.division) ?? match.division
  const live = status === 'completed' ? [] : (running.data?.matches ?? [])
  return (
    <Printed name={whole?.name} className="page stack">
      <div className="title">
        <h1>{words('tournament.matches')}</h1>
        <div className="btns no-print">
          <PrintButton isSmall list={pages} />
          <div className="choices">
            {filters.map(([value, word]) => (
              <Link
                key={word}
                to="/t/$tournament/matches"
                params={{ tournament }}
                search={{ ...(value && { status: value }), ...(team && { team }) }}
                className="btn"
                aria-current={status === value ? 'true' : undefined}
              >
                {words(word)}
              </Link>
            ))}
          </div>
          {whole !== undefined && <SpoilerSwitch tournament={whole.guid} />}
        </div>
      </div>
      {team !== undefined && (
        <p className="notice">
          <span className="push">{words('matches.of-team', { team })}</span>
          <button type="button" className="btn" onClick={() => void navigate({ search: status ? { status } : {} })}>
            {words('matches.all-teams')}
          </button>
        </p>
      )}
      {live.length > 0 && (
        <Section title={words('home.live')}>
          <Boards>
            {live.map((match) => (
              <Board
                key={match.guid}
                match={match}
                tournament={tournament}
                division={divisionOf(match)}
                context={roundName(match)}
                isHidden={isHidden}
              />
            ))}
          </Boards>
        </Section>
      )}
      <Loaded of={{ ...pages, data: all }} rows={12}>
        {(found) =>
          found.length === 0 ? (
            <Empty>{words('matches.none')}</Empty>
          ) : (
            <>
              {byDay(found).map(([day, matches]) => (
                <Section key={day} title={day}>
                  <MatchTable caption={day}>
                    {matches.map((match) => (
                      <MatchLine
                        key={match.guid}
                        match={match}
                        tournament={tournament}
                        division={divisionOf(match)}
                        zone={whole?.timezone ?? 'UTC'}
                        isHidden={isHidden}
                      />
                    ))}
                  </MatchTable>
                </Section>
              ))}
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Printed>
  )
}

/** Matches by the reader's day, or by their round where they have no time. */
export function byDay(matches: readonly Match[]): readonly (readonly [string, readonly Match[]])[] {
  const days = new Map<string, Match[]>()
  for (const match of matches) {
    const day = match.scheduledAt === null ? roundName(match) : dayOf(match.scheduledAt)
    const known = days.get(day)
    if (known === undefined) days.set(day, [match])
    else known.push(match)
  }
  return [...days]
}
