import { useParams } from '@tanstack/react-router'
import type { Standing } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { TeamLink } from '../parts/team.tsx'
import { useTournamentId } from './reads.ts'

/** The table of a bracket, with what decided between equals. */
export function Standings() {
  const tournament = useTournamentId()
  const { bracket } = useParams({ from: '/t/$tournament/standings/$bracket' })
  const read = useRead(
    address('/tournaments/{tournament}/brackets/{bracket}/standings', { tournament, bracket }, { delayed: true }),
    { live: true, delayed: true },
  )
  return (
    <div className="page stack">
      <div className="title">
        <h1>{words('standings.title')}</h1>
        <button type="button" className="btn no-print" onClick={() => print()}>
          <Icon name="print" />
          {words('print.page')}
        </button>
      </div>
      <Loaded of={read} rows={10}>
        {({ standings }) =>
          standings.length === 0 ? (
            <Empty>{words('standings.none')}</Empty>
          ) : (
            [...new Set(standings.map(({ groupIndex }) => groupIndex))].map((group) => (
              <StandingsTable
                key={group}
                title={group === null ? words('standings.title') : words('standings.group', { group })}
                standings={standings.filter(({ groupIndex }) => groupIndex === group)}
                tournament={tournament}
              />
            ))
          )
        }
      </Loaded>
    </div>
  )
}

export function StandingsTable({
  title,
  standings,
  tournament,
}: {
  readonly title: string
  readonly standings: readonly Standing[]
  readonly tournament: string
}) {
  const tieBreaks = standings[0]?.tieBreaks.map(({ name }) => name) ?? []
  return (
    <Section title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too */}
      <section className="wide-content" tabIndex={0} aria-label={words('standings.table', { title })}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col" className="n narrow">
                {words('standings.rank')}
              </th>
              <th scope="col">{words('standings.team')}</th>
              <th scope="col" className="n narrow">
                {words('standings.played')}
              </th>
              <th scope="col" className="n narrow">
                {words('standings.won')}
              </th>
              <th scope="col" className="n narrow">
                {words('standings.drawn')}
              </th>
              <th scope="col" className="n narrow">
                {words('standings.lost')}
              </th>
              <th scope="col" className="n narrow">
                {words('standings.games')}
              </th>
              <th scope="col" className="n narrow">
                {words('standings.points')}
              </th>
              {tieBreaks.map((name) => (
                <th key={name} scope="col" className="n narrow">
                  {words(`tie.${name}` as WordId)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {standings.map((each) => (
              <tr key={each.team.guid}>
                <td className="n">
                  {each.rank}
                  {each.tied && <span className="muted">=</span>}
                </td>
                <th scope="row">
                  <TeamLink team={each.team} tournament={tournament} isStrong={each.rank === 1} />
                </th>
                <td className="n">{each.played}</td>
                <td className="n">{each.won}</td>
                <td className="n">{each.drawn}</td>
                <td className="n">{each.lost}</td>
                <td className="n nowrap">
                  {each.gamesWon}–{each.gamesLost}
                </td>
                <td className="n strong">{each.points}</td>
                {tieBreaks.map((name) => {
                  const tie = each.tieBreaks.find((other) => other.name === name)
                  return (
                    <td key={name} className={`n ${each.decidedBy === name ? 'strong' : 'muted'}`}>
                      {tie?.value ?? '–'}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  )
}
