import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type {
  Qualifier,
  QualifierMapStanding,
  QualifierPlayerStanding,
  QualifierStandings,
  QualifierTeamStanding,
} from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { Empty } from '../parts/loaded.tsx'
import { decimalOf, percentOf, wholeOf } from '../parts/numbers.ts'
import { State } from '../parts/state.tsx'
import { TeamLink } from '../parts/team.tsx'
import styles from './qualifier.module.css'

/** The tables of a qualifier: teams and players, overall and on one map. */

type Method = Qualifier['method']
type TieBreak = QualifierTeamStanding['tieBreaks'][number]

/** Methods whose value is a share; those that weigh or add up go beyond one. */
const shares: readonly Method[] = ['average_accuracy', 'top_players']

/** What the method counts, such as 93.12 % or 1,234,567. */
function worthOf(value: number | null, method: Method): string {
  if (value === null) return '–'
  return shares.includes(method) ? percentOf(value) : decimalOf(value)
}

const tieOf = ({ name, value }: TieBreak): string =>
  // A rank of 0 is none.
  name === 'ranking_rank' && value === 0
    ? '–'
    : name === 'average_accuracy' || name === 'next_player'
      ? percentOf(value)
      : decimalOf(value)

/** A place; `isShared` for teams that no tie-break separates. */
function Rank({ rank, isShared = false }: { readonly rank: number | null; readonly isShared?: boolean }) {
  return (
    <td className="n narrow">
      {rank ?? '–'}
      {isShared && <span className="muted">=</span>}
    </td>
  )
}

interface TableProps {
  readonly title: string
  /** The names of the columns, with their classes. */
  readonly columns: readonly (readonly [name: string, className?: string])[]
  readonly children: ReactNode
}

function Table({ title, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too
    <section className="wide-content" tabIndex={0} aria-label={title}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(([name, className]) => (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

interface TeamsProps {
  readonly teams: readonly QualifierTeamStanding[]
  readonly tournament: string
  readonly method: Method
  readonly cutoff: number | null
  readonly isFinal: boolean
}

/** The teams altogether, with the line between those who go on and those who do not. */
export function TeamStandings({ teams, tournament, method, cutoff, isFinal }: TeamsProps) {
  const firstBelow = teams.find(({ cutoffSide }) => cutoffSide === 'below')
  const ties = teams[0]?.tieBreaks.map(({ name }) => name) ?? []
  const columns: TableProps['columns'] = [
    [words('standings.rank'), 'n narrow'],
    [words('standings.team')],
    [words(`method.${method}`), 'n narrow'],
    ...ties.map((name) => [words(`tie.${name}`), 'n narrow only-wide'] as const),
    [words('match.state'), 'narrow'],
  ]
  return (
    <Table title={words('qualifier.of-teams')} columns={columns}>
      {teams.map((each) => (
        <Fragment key={each.team.guid}>
          {each === firstBelow && cutoff !== null && (
            <tr className={styles.line}>
              <th scope="rowgroup" colSpan={columns.length}>
                {words(isFinal ? 'qualifier.went-on' : 'qualifier.go-on', { count: cutoff })}
              </th>
            </tr>
          )}
          <tr>
            <Rank rank={each.rank} isShared={each.tied} />
            <th scope="row">
              <TeamLink team={each.team} tournament={tournament} isStrong={each.rank === 1} />
            </th>
            <td className="n strong">{worthOf(each.value, method)}</td>
            {ties.map((name) => {
              const tie = each.tieBreaks.find((other) => other.name === name)
              return (
                <td key={name} className={`n only-wide ${each.decidedBy === name ? 'strong' : 'muted'}`}>
                  {tie === undefined ? '–' : tieOf(tie)}
                </td>
              )
            })}
            <td className="narrow">
              <Fate of={each} />
            </td>
          </tr>
        </Fragment>
      ))}
    </Table>
  )
}

function Fate({ of: { isQualified, seed, cutoffSide } }: { readonly of: QualifierTeamStanding }) {
  if (isQualified)
    return (
      <State shape="done">{seed === null ? words('teams.state-qualified') : words('qualifier.seeded', { seed })}</State>
    )
  if (cutoffSide === 'tied') return <State shape="waiting">{words('qualifier.tied')}</State>
  return null
}

interface PlayersProps {
  readonly players: readonly QualifierPlayerStanding[]
  readonly tournament: string
  readonly method: Method
  /** The GUID of the map that is asked for; overall without it. */
  readonly map?: string
}

/** The players altogether, or on one map. */
export function PlayerStandings({ players, tournament, method, map }: PlayersProps) {
  const rows = players
    .map((player) => ({ player, on: player.perMap.find(({ mapGuid }) => mapGuid === map) }))
    .filter(({ on }) => map === undefined || (on !== undefined && on.score !== null))
  if (rows.length === 0) return <Empty>{words('qualifier.no-results')}</Empty>
  const sorted =
    map === undefined
      ? rows
      : rows.toSorted((one, other) => (one.on?.rank ?? rows.length) - (other.on?.rank ?? rows.length))
  const counted: TableProps['columns'] =
    map === undefined
      ? [[words(`method.${method}`), 'n narrow']]
      : [
          [words('match.score'), 'n narrow'],
          [words('qualifier.accuracy'), 'n narrow'],
        ]
  return (
    <Table
      title={words('qualifier.of-players')}
      columns={[
        [words('standings.rank'), 'n narrow'],
        [words('qualifier.player')],
        [words('standings.team'), 'only-wide'],
        ...counted,
      ]}
    >
      {sorted.map(({ player, on }) => (
        <tr key={player.user.guid}>
          <Rank rank={on === undefined ? player.rank : on.rank} isShared={on === undefined && player.tied} />
          <th scope="row">
            <Link to="/u/$user" params={{ user: player.user.guid }}>
              <bdi>{player.user.preferredName}</bdi>
            </Link>
          </th>
          <td className="only-wide">
            {player.team !== null && <TeamLink team={player.team} tournament={tournament} />}
          </td>
          {on === undefined ? (
            <td className="n strong">{worthOf(player.value, method)}</td>
          ) : (
            <>
              <td className="n strong">{on.score === null ? '–' : wholeOf(on.score)}</td>
              <td className="n">{on.accuracy === null ? '–' : percentOf(on.accuracy)}</td>
            </>
          )}
        </tr>
      ))}
    </Table>
  )
}

interface MapProps {
  readonly on: QualifierMapStanding | undefined
  /** The teams altogether, which have their addresses. */
  readonly teams: readonly QualifierTeamStanding[]
  readonly tournament: string
}

/** The teams on one map, with the players whose results count. */
export function MapStandings({ on, teams, tournament }: MapProps) {
  if (on === undefined || on.teams.length === 0) return <Empty>{words('qualifier.no-results')}</Empty>
  const known = new Map(teams.map(({ team }) => [team.guid, team]))
  return (
    <Table
      title={words('qualifier.of-teams')}
      columns={[
        [words('standings.rank'), 'n narrow'],
        [words('standings.team')],
        [words('qualifier.counted'), 'only-wide'],
        [words('match.score'), 'n narrow'],
        [words('qualifier.accuracy'), 'n narrow'],
      ]}
    >
      {on.teams.map(({ team, rank, teamScore, teamAccuracy, members }) => {
        const whole = known.get(team.guid)
        return (
          <tr key={team.guid}>
            <Rank rank={rank} />
            <th scope="row">
              {whole === undefined ? (
                <bdi>{team.name}</bdi>
              ) : (
                <TeamLink team={whole} tournament={tournament} isStrong={rank === 1} />
              )}
            </th>
            <td className="only-wide">
              <span className={styles.members}>
                {members.map(({ user, score }) => (
                  <span key={user.guid} className="nowrap">
                    <bdi>{user.preferredName}</bdi> <span className="muted num">{wholeOf(score)}</span>
                  </span>
                ))}
              </span>
            </td>
            <td className="n strong">{wholeOf(teamScore)}</td>
            <td className="n">{teamAccuracy === null ? '–' : percentOf(teamAccuracy)}</td>
          </tr>
        )
      })}
    </Table>
  )
}

/** What the reader has reached on each map while the scores of others are hidden. */
export function OwnScores({
  own,
  maps,
}: {
  readonly own: QualifierPlayerStanding
  readonly maps: QualifierStandings['maps']
}) {
  return (
    <Table
      title={words('qualifier.own-scores')}
      columns={[[words('map.map')], [words('match.score'), 'n narrow'], [words('qualifier.accuracy'), 'n narrow']]}
    >
      {maps.map(({ guid, name, hash }) => {
        const on = own.perMap.find(({ mapGuid }) => mapGuid === guid)
        return (
          <tr key={guid}>
            <th scope="row">
              <bdi>{name ?? hash.slice(0, 8)}</bdi>
            </th>
            <td className="n strong">{on?.score == null ? '–' : wholeOf(on.score)}</td>
            <td className="n">{on?.accuracy == null ? '–' : percentOf(on.accuracy)}</td>
          </tr>
        )
      })}
    </Table>
  )
}
