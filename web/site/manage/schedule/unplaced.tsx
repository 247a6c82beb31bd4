import type { ScheduleProposal } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { SideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { OpenMatch } from './match-link.tsx'
import type { Plan } from './plan.ts'
import styles from './schedule.module.css'

/** The matches that found no time, by what is in the way. */
export function Unplaced({ of, plan }: { readonly of: ScheduleProposal['unplaced']; readonly plan: Plan }) {
  if (of.length === 0) return null
  return (
    <Section
      title={words('plan.unplaced')}
      beside={
        <State shape="problem" tone="warning">
          {words('plan.matches', { count: of.length })}
        </State>
      }
    >
      {[...Map.groupBy(of, ({ code }) => code)].map(([code, each]) => (
        <div key={code} className={styles.round}>
          <h3>{words(`plan.block-${code}`)}</h3>
          <ul className={`lines ${styles.problems}`}>
            {each.map(({ matchGuid, number, reason }) => {
              const match = plan.byGuid.get(matchGuid)
              return (
                <li key={matchGuid}>
                  <span className={styles.opponents}>
                    <span className="code">{number ?? '–'}</span>
                    {match?.sides.map((side, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
                      <SideName key={at} side={side} />
                    ))}
                  </span>
                  <bdi>{reason}</bdi>
                  {match !== undefined && (
                    <OpenMatch match={match} isOpen={false} className="">
                      {words('plan.by-hand')}
                      <span className="unseen">{words('match.of', { number: match.number })}</span>
                    </OpenMatch>
                  )}
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </Section>
  )
}
