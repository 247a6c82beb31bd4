import { Link } from '@tanstack/react-router'
import type { BracketWithMatches, DivisionWithBrackets, TeamReference } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import styles from './page.module.css'

interface LegendProps {
  readonly bracket: Pick<BracketWithMatches, 'matches'>
  readonly followed?: TeamReference | undefined
  readonly isOwn?: boolean
}

/** What the signs of the drawing mean. */
export function Legend({ bracket, followed, isOwn = false }: LegendProps) {
  const { matches } = bracket
  return (
    <ul className={styles.legend}>
      <li className={styles.now}>
        <StateIcon name="running" />
        {words('match.running')}
      </li>
      <li>
        <StateIcon name="done" />
        {words('bracket.won')}
      </li>
      {followed !== undefined && (
        <li>
          <span className={styles.line} aria-hidden="true" />
          {words(isOwn ? 'bracket.own-path' : 'bracket.path', { team: followed.name })}
        </li>
      )}
      {matches.some(({ conditional }) => conditional) && (
        <li>
          <span className={styles.dashed} aria-hidden="true" />
          {words('match.conditional')}
        </li>
      )}
      <li className={styles.wide}>
        {words(matches.some(({ loserMatchGuid }) => loserMatchGuid !== null) ? 'bracket.numbers' : 'bracket.number')}
      </li>
      <li className={styles.keys}>
        <kbd>{'f'}</kbd> {words('bracket.key')}
      </li>
    </ul>
  )
}

/** The way to the other brackets of the tournament. */
export function OtherBrackets({
  divisions,
  tournament,
  current,
}: {
  readonly divisions: readonly DivisionWithBrackets[]
  readonly tournament: string
  readonly current: string
}) {
  const all = divisions.flatMap((division) => division.brackets.map((bracket) => ({ division, bracket })))
  if (all.length < 2) return null
  return (
    <nav className={`btns ${styles.others} no-print`} aria-label={words('bracket.others')}>
      <div className="choices">
        {all.map(({ division, bracket }) => (
          <Link
            key={bracket.guid}
            to="/t/$tournament/bracket/$division/$bracket"
            params={{ tournament, division: division.id, bracket: bracket.guid }}
            className="btn"
            aria-current={bracket.guid === current ? 'page' : undefined}
          >
            <span>
              {divisions.length > 1 && (
                <>
                  <bdi>{division.name}</bdi>,{' '}
                </>
              )}
              <bdi>{bracket.name}</bdi>
            </span>
          </Link>
        ))}
      </div>
    </nav>
  )
}
