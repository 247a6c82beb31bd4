import { Link } from '@tanstack/react-router'
import type { Match, TeamReference } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import type { View } from '../../parts/bracket/cell.tsx'
import { type Part, pathOf, sideOf } from '../../parts/bracket/layout.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { hasWon, matchLink, Score, type Side, SideName, sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { TeamName } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './team-path.module.css'

interface PathProps {
  readonly team: TeamReference
  readonly parts: readonly Part[]
  readonly all: readonly Match[]
  readonly tournament: string
  readonly division: string
  readonly zone: string
  readonly view: View
}

/** The way of one team through the bracket: what it has played, what comes, and what would come after wins alone. */
export function TeamPath({ team, parts, all, tournament, division, zone, view }: PathProps) {
  const rounds = new Map(
    parts.flatMap((part) =>
      part.rounds.flatMap((round) => round.matches.map((match) => [match.guid, round.name] as const)),
    ),
  )
  const byGuid = new Map(all.map((match) => [match.guid, match]))
  const path = pathOf(all, team.guid)
  const ahead = aheadOf(path, byGuid, team.guid)
  const next = path.find(isOpen)
  const place = (guid: string | null) => {
    const match = guid === null ? undefined : byGuid.get(guid)
    return match === undefined ? undefined : { number: match.number, round: lowered(rounds.get(match.guid) ?? '') }
  }
  return (
    <Section title={words('bracket.path-of', { team: team.name })}>
      <ol className={styles.path}>
        {[...path, ...ahead].map((match) => {
          const own = sideOf(match, team.guid)
          const isAhead = own === -1
          const [onWin, onLoss] = [place(match.nextMatchGuid), place(match.loserMatchGuid)]
          const opponents = isAhead ? match.sides.filter(({ from }) => !isFrom(from, [...path, ...ahead])) : []
          const opponent = isAhead ? opponents[0] : match.sides[own === 0 ? 1 : 0]
          const isDecidedBy = (how: 'win' | 'loss') =>
            byGuid.get(match.nextMatchGuid ?? '')?.conditional === true &&
            comesFromUpper(match, [...path, ...ahead], byGuid) === (how === 'win')
          const hasTree = match.section !== 'group' && match.section !== 'swiss'
          return (
            <li key={match.guid} className={`${match === next ? styles.next : ''} ${isAhead ? styles.ahead : ''}`}>
              <span className={styles.mark}>
                <StateIcon name={isAhead ? 'ready' : match.status === 'completed' ? 'done' : 'waiting'} />
              </span>
              <div>
                <p>
                  {match.outcome === 'bye' ? (
                    <span className="strong">{words('bracket.step', stepOf(match, rounds))}</span>
                  ) : (
                    <Link {...matchLink(tournament, division, match.number)} className="plain strong">
                      {words('bracket.step', stepOf(match, rounds))}
                    </Link>
                  )}{' '}
                  {match.scheduledAt !== null && (
                    <span className="muted">
                      <Instant
                        at={match.scheduledAt}
                        as={match.status === 'completed' ? 'day' : 'full'}
                        zone={match.status === 'completed' ? undefined : zone}
                      />
                    </span>
                  )}
                </p>
                <Pairing match={match} own={own} opponent={opponent} team={team} byGuid={byGuid} view={view} />
              </div>
              {isOpen(match) && hasTree ? (
                <dl className={styles.ways}>
                  <dt>{words('bracket.if-won')}</dt>
                  <dd>
                    {onWin === undefined || isDecidedBy('win') ? words('bracket.win-last') : words('bracket.to', onWin)}
                  </dd>
                  <dt>{words('bracket.if-lost')}</dt>
                  <dd>
                    {onLoss === undefined || isDecidedBy('loss')
                      ? words('bracket.loss-out')
                      : words('bracket.to', onLoss)}
                  </dd>
                </dl>
              ) : (
                <Verdict match={match} own={match.sides[own]} isHidden={view.isHidden} />
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

const isOpen = ({ status }: Match): boolean => status !== 'completed' && status !== 'cancelled'
const lowered = (name: string): string => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
const stepOf = (match: Match, rounds: ReadonlyMap<string, string>) => ({
  number: match.number,
  round: lowered(rounds.get(match.guid) ?? ''),
})
const isFrom = (from: Side['from'], path: readonly Match[]): boolean =>
  from !== null && from.outcome === 'winner' && path.some(({ guid }) => guid === from.matchGuid)

/** Where wins alone would lead from the last match of the path. */
function aheadOf(path: readonly Match[], byGuid: ReadonlyMap<string, Match>, team: string): readonly Match[] {
  const ahead: Match[] = []
  const last = path.at(-1)
  if (last === undefined || (!isOpen(last) && !hasWonIt(last, team))) return ahead
  for (let next = byGuid.get(last.nextMatchGuid ?? ''); next !== undefined && !next.conditional; ) {
    if (sideOf(next, team) === -1) ahead.push(next)
    next = byGuid.get(next.nextMatchGuid ?? '')
  }
  return ahead
}

const hasWonIt = (match: Match, team: string): boolean => {
  const side = match.sides[sideOf(match, team)]
  return side !== undefined && hasWon(side)
}

/** A grand final is over if the side from the upper bracket wins it; else a second one follows. */
function comesFromUpper({ sides }: Match, path: readonly Match[], byGuid: ReadonlyMap<string, Match>): boolean {
  const own = sides.find(({ from }) => isFrom(from, path))
  return byGuid.get(own?.from?.matchGuid ?? '')?.section === 'upper'
}

interface PairingProps {
  readonly match: Match
  readonly own: number
  readonly opponent: Side | undefined
  readonly team: TeamReference
  readonly byGuid: ReadonlyMap<string, Match>
  readonly view: View
}

/** The score with both teams, or who the opponent is, or may be. */
function Pairing({ match, own, opponent, team, byGuid, view }: PairingProps) {
  if (match.outcome === 'bye') return <p className="muted">{words('match.free', { team: team.name })}</p>
  if (opponent === undefined) return null
  if (match.status === 'completed' || match.status === 'running') {
    const sides = own === 1 ? match.sides.toReversed() : match.sides
    return (
      <p className={styles.pairing}>
        <TeamName team={team} /> <Score sides={sides} isHidden={view.isHidden} /> <SideName side={opponent} />
      </p>
    )
  }
  return (
    <p className="muted">
      {words('bracket.against', { team: sideName(opponent) })}
      {opponent.team === null && <Candidates of={byGuid.get(opponent.from?.matchGuid ?? '')} />}
    </p>
  )
}

/** Who plays in the match that an opponent comes from. */
function Candidates({ of }: { readonly of: Match | undefined }) {
  const names = of?.sides.map(sideName) ?? []
  if (of === undefined || of.sides.every(({ team }) => team === null)) return null
  return <>: {words('bracket.one-of', { first: names[0], second: names[1] })}</>
}

function Verdict({
  match,
  own,
  isHidden,
}: {
  readonly match: Match
  readonly own: Side | undefined
  readonly isHidden: boolean
}) {
  if (match.status === 'running')
    return (
      <State shape="running" tone="run">
        {words('match.running')}
      </State>
    )
  if (match.status === 'cancelled')
    return (
      <State shape="off" tone="quiet">
        {words('match.cancelled')}
      </State>
    )
  if (match.status !== 'completed') return <span />
  if (isHidden) return <span className="muted">{words('spoiler.hidden')}</span>
  if (own?.result === 'win') return <State shape="done">{words('bracket.won')}</State>
  if (own?.result === 'draw') return <State shape="ready">{words('bracket.drawn')}</State>
  return (
    <State shape="off" tone="quiet">
      {words(own?.result === 'forfeit' ? 'match.forfeit' : 'bracket.lost')}
    </State>
  )
}
