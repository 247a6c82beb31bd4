import type { BracketWithMatches } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { MatchLine, MatchTable } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { StandingsTable } from '../standings.tsx'
import { partsOf } from './layout.ts'

/** A bracket as tables, round by round. */

interface ListProps {
  readonly bracket: BracketWithMatches
  readonly tournament: string
  readonly division: string
  readonly zone: string
  readonly isHidden: boolean
}

/** Whether the format has a table instead of a tree. */
export const isTableFormat = ({ format }: BracketWithMatches): boolean => format === 'round_robin' || format === 'swiss'

export function BracketList({ bracket, tournament, division, zone, isHidden }: ListProps) {
  const isTable = isTableFormat(bracket)
  return (
    <div className="stack">
      {isTable &&
        !isHidden &&
        bracket.standings.length > 0 &&
        [...new Set(bracket.standings.map(({ groupIndex }) => groupIndex))].map((group) => (
          <StandingsTable
            key={group}
            title={group === null ? words('standings.title') : words('standings.group', { group })}
            standings={bracket.standings.filter(({ groupIndex }) => groupIndex === group)}
            tournament={tournament}
          />
        ))}
      {partsOf(bracket).flatMap((part) =>
        part.rounds.map((round) => (
          <Section
            key={round.key}
            title={round.name}
            beside={<span className="muted">{words('match.best-of', { games: round.bestOf })}</span>}
          >
            <MatchTable caption={round.name}>
              {round.matches.map((match) => (
                <MatchLine
                  key={match.guid}
                  match={match}
                  tournament={tournament}
                  division={division}
                  zone={zone}
                  isHidden={isHidden}
                />
              ))}
            </MatchTable>
          </Section>
        )),
      )}
    </div>
  )
}
