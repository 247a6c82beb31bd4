import { Link } from '@tanstack/react-router'
import type { FlowState } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { decimalOf, lengthOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { Flair } from './flair.tsx'
import styles from './match.module.css'
import { titleOf } from './view.ts'

/** The maps that will be chosen from, before anything is. */
export function PoolMaps({ planned, tournament }: { readonly planned: FlowState; readonly tournament: string }) {
  const { pool, flow } = planned
  if (pool === null || pool.maps.length === 0) return null
  return (
    <Section
      title={words('play.pool')}
      beside={
        pool.guid !== null && (
          <Link to="/t/$tournament/pools/$pool" params={{ tournament, pool: pool.guid }}>
            <bdi>{pool.name ?? words('play.pool')}</bdi>
          </Link>
        )
      }
    >
      {flow !== null && (
        <p className={`muted ${styles.flow}`}>
          {words('play.flow')} <bdi>{flow.name}</bdi>
        </p>
      )}
      <ul className="lines">
        {pool.maps.map((entry) => {
          const { map, isTiebreaker } = entry
          const { artist, mapper, difficulty, nps, durationSeconds } = map
          const about = [artist, mapper === null ? null : words('play.mapped-by', { mapper })].filter(
            (each) => each !== null,
          )
          return (
            <li key={entry.guid} className={styles.poolMap}>
              <Flair of={entry} />
              <span className={styles.poolName}>
                <bdi className="strong">{titleOf(map)}</bdi>
                {isTiebreaker && <span className="muted"> {words('choice.tiebreaker')}</span>}
                <span className={`small muted ${styles.about}`} dir="auto">
                  {about.join(', ')}
                </span>
              </span>
              <span className="muted">
                {difficulty.replace('Plus', '+')}
                {nps !== null && <span className="only-wide">, {words('play.nps', { nps: decimalOf(nps) })}</span>}
              </span>
              <span className="num">{durationSeconds === null ? '' : lengthOf(durationSeconds)}</span>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
