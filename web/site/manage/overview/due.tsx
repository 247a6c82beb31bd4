import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { useNow } from '../../parts/time.tsx'
import { checklist, currentPart, type Facts, nextOf, parts, type Step, type StepState } from './checklist.ts'
import styles from './overview.module.css'
import { Act, Detail } from './step.tsx'

/** What is due: first of all the next steps, then all of them, phase by phase, each with its act. */

/** How many steps are named at once. */
const most = 4

export function Next({ facts }: { readonly facts: Facts }) {
  const list = checklist(facts, useNow(60_000))
  const next = nextOf(list).slice(0, most)
  const waiting = parts.flatMap((part) => list[part]).filter(({ state }) => state === 'waits')
  if (facts.tournament.status === 'cancelled') return null
  return (
    <Section title={words('manage.next')}>
      {next.length === 0 && waiting.length === 0 && <Empty>{words('manage.next-none')}</Empty>}
      <ol className="lines">
        {next.map((step, at) => (
          <Line key={step.name} step={step} facts={facts} isMain={at === 0} />
        ))}
        {waiting.map((step) => (
          <Line key={step.name} step={step} facts={facts} />
        ))}
      </ol>
    </Section>
  )
}

export function Due({ facts }: { readonly facts: Facts }) {
  const time = useNow(60_000)
  const list = checklist(facts, time)
  const current = currentPart(facts.tournament, time)
  return (
    <Section title={words('manage.due')}>
      {current === null && <p className={styles.note}>{words('manage.cancelled')}</p>}
      {parts.map((part) => {
        const left = list[part].filter(({ state }) => state !== 'done' && state !== 'optional')
        const isOpen = current !== null && (part === current || left.some(({ state }) => state === 'due'))
        return (
          <details key={part} className={styles.part} open={isOpen}>
            <summary>
              <h3>{words(`manage.part-${part}`)}</h3>
              <span className="muted small">
                {part === current && <b className={styles.now}>{words('manage.now')}</b>}{' '}
                {words('manage.left', { count: left.length })}
              </span>
            </summary>
            <ul className="lines">
              {list[part].map((step) => (
                <Line key={step.name} step={step} facts={facts} />
              ))}
            </ul>
          </details>
        )
      })}
    </Section>
  )
}

const shapes = { done: 'done', due: 'ready', waits: 'waiting', later: 'waiting', optional: 'ready' } as const
const spoken = {
  done: 'manage.is-done',
  due: 'manage.is-open',
  waits: 'manage.is-waiting',
  later: 'manage.is-later',
  optional: 'manage.is-optional',
} as const satisfies Record<StepState, string>

function Line({
  step,
  facts,
  isMain = false,
}: {
  readonly step: Step
  readonly facts: Facts
  readonly isMain?: boolean
}) {
  const { state, name } = step
  return (
    <li className={`${styles.line} ${state === 'due' ? '' : styles.done}`}>
      <StateIcon name={shapes[state]} />
      <div>
        <p className={state === 'due' ? 'strong' : ''}>
          <span className="unseen">{words(spoken[state])}</span>
          {words(`manage.step-${name}`)}
          {state === 'optional' && <span className="muted small"> {words('manage.optional')}</span>}
        </p>
        <p className="muted">
          <Detail step={step} facts={facts} />
        </p>
      </div>
      <Act step={step} tournament={facts.tournament} isMain={isMain} />
    </li>
  )
}
