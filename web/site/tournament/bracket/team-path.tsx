import { Link } from '@tanstack/react-router'
import type { Match, TeamReference } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { matchLink, roundName, Score, sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { MatchState } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './team-path.module.css'

interface PathProps {
  readonly team: TeamReference
  readonly matches: readonly Match[]
  readonly all: readonly Match[]
  readonly tournament: string
  readonly division: string
  readonly isHidden: boolean
}

/** The way of one team through the bracket, with what follows from the next match. */
export function TeamPath({ team, matches, all, tournament, division, isHidden }: PathProps) {
  const numbers = new Map(all.map(({ guid, number }) => [guid, number]))
  const numberOf = (guid: string | null) => (guid === null ? null : (numbers.get(guid) ?? null))
  return (
    <Section title={words('bracket.path-of', { team: team.name })}>
      <ol className="lines">
        {matches.map((match) => {
          const own = match.sides.findIndex((side) => side.team?.guid === team.guid)
          const opponent = match.sides[own === 0 ? 1 : 0]
          const sides = own === 1 ? match.sides.toReversed() : match.sides
          const isOpen = match.status !== 'completed' && match.status !== 'cancelled'
          const [onWin, onLoss] = [numberOf(match.nextMatchGuid), numberOf(match.loserMatchGuid)]
          return (
            <li key={match.guid} className={styles.step}>
              <Link {...matchLink(tournament, division, match.number)} className="plain">
                <span className="code">{match.number}</span> <span className="muted">{roundName(match)}</span>{' '}
                <span>{opponent === undefined ? '' : words('bracket.against', { team: sideName(opponent) })}</span>
              </Link>
              <span>
                {isOpen && match.scheduledAt !== null && match.status !== 'running' ? (
                  <Instant at={match.scheduledAt} />
                ) : (
                  <Score sides={sides} isHidden={isHidden} />
                )}
              </span>
              <MatchState status={match.status} />
              {isOpen && (
                <p className="muted small">
                  {onWin === null ? words('bracket.win-last') : words('bracket.win-to', { number: onWin })}{' '}
                  {onLoss === null ? words('bracket.loss-out') : words('bracket.loss-to', { number: onLoss })}
                </p>
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
