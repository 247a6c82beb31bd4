import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Clashes } from './clash-words.tsx'
import type { ShownPlan } from './grid.tsx'
import { OpenMatch } from './match-link.tsx'
import styles from './schedule.module.css'

/** What clashes as it is saved, above everything else. */
export function Problems({ shown: { plan, clashes, open } }: { readonly shown: ShownPlan }) {
  if (clashes.size === 0) return null
  return (
    <Section
      title={words('plan.problems')}
      beside={
        <State shape="problem" tone="alert">
          {words('plan.problem-count', { count: clashes.size })}
        </State>
      }
    >
      <ul className={`lines ${styles.problems}`}>
        {[...clashes].map(([guid, wrong]) => {
          const match = plan.byGuid.get(guid)
          if (match === undefined) return null
          return (
            <li key={guid}>
              <OpenMatch match={match} isOpen={open === guid} className="strong">
                {words('schedule.match', { number: match.number })}
              </OpenMatch>
              <Clashes of={wrong} zone={plan.zone} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
