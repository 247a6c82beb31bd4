import { Link } from '@tanstack/react-router'
import type { Match } from '../../../../client/generated.ts'
import type { CodeOf } from '../../data/tournament.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { SideName } from '../../parts/match.tsx'
import type { RoundOf } from '../../parts/rounds.ts'
import { Section } from '../../parts/section.tsx'
import { OpenMatch } from './match-link.tsx'
import styles from './schedule.module.css'

/** The matches that have no time yet, by their rounds. */
interface Props {
  readonly matches: readonly Match[]
  readonly open: string | undefined
  readonly roundOf: RoundOf
  readonly codeOf: CodeOf
}

export function Untimed({ matches, open, roundOf, codeOf }: Props) {
  const rounds = [...Map.groupBy(matches, roundOf)]
  if (matches.length === 0) return null
  return (
    <Section title={words('plan.untimed')} beside={<span className={styles.count}>{matches.length}</span>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys, so that the days stay near */}
      <section className={styles.untimed} tabIndex={0} aria-label={words('plan.untimed-rounds')}>
        {rounds.map(([round, each]) => (
          <div key={round} className={styles.row}>
            <h3 className="muted">{round}</h3>
            <ul>
              {each.map((match) => (
                <li
                  key={match.guid}
                  draggable
                  onDragStart={({ dataTransfer }) => dataTransfer.setData(matchType, match.guid)}
                >
                  <OpenMatch match={match} isOpen={open === match.guid} className={`plain ${styles.waiting}`}>
                    <span className="code">{codeOf(match)}</span>
                    {match.sides.map((side, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
                      <SideName key={at} side={side} />
                    ))}
                  </OpenMatch>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
    </Section>
  )
}

/** What a match is dragged as. */
export const matchType = 'application/x-downbeat-match'

export function NoMatches() {
  const tournament = useTournamentId()
  return (
    <p className="muted">
      {words('plan.no-matches')}{' '}
      <Link to="/t/$tournament" params={{ tournament }}>
        {words('manage.public')}
      </Link>
    </p>
  )
}
