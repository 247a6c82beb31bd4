import type { BracketWithMatches } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { isTableFormat } from '../../parts/bracket/layout.ts'
import { Section } from '../../parts/section.tsx'
import { TeamName } from '../../parts/team.tsx'
import styles from './page.module.css'

/** What decides between equal teams, and what was decided by hand or by lot. (D67) */
export function Ties({ bracket }: { readonly bracket: BracketWithMatches }) {
  const { settings, ties = [], commitment, seed } = bracket
  const { points, tieBreakers } = settings
  return (
    <Section title={words('ties.title')}>
      <div className={styles.ties}>
        {isTableFormat(bracket) ? (
          <>
            {points !== undefined && <p>{words('ties.points', { ...points })}</p>}
            <p>{words('ties.order')}</p>
            <ol className={styles.order}>
              {tieBreakers.map((name) => (
                <li key={name}>{words(`tie.${name}`)}</li>
              ))}
            </ol>
          </>
        ) : (
          <p>{words('ties.elimination')}</p>
        )}
        {ties.map(({ places, decidedBy, teams }) => (
          <div key={`${places[0]}-${teams[0]?.guid}`}>
            <p>{words(decidedBy === 'draw' ? 'ties.drawn' : 'ties.ordered', { places: places.join(', ') })}</p>
            <ol className={styles.order}>
              {teams.map((team) => (
                <li key={team.guid}>
                  <TeamName team={team} />
                </li>
              ))}
            </ol>
          </div>
        ))}
        {commitment !== undefined && (
          <dl className="facts">
            <dt>{words('ties.commitment')}</dt>
            <dd className={styles.digest}>{commitment}</dd>
            {seed !== undefined && (
              <>
                <dt>{words('ties.seed')}</dt>
                <dd className={styles.digest}>{seed}</dd>
              </>
            )}
          </dl>
        )}
      </div>
    </Section>
  )
}
