import { memo } from 'react'
import type { FlowState, FlowStep } from '../../../../../client/generated.ts'
import { words } from '../../../data/words.ts'
import { StateIcon } from '../../../parts/icon.tsx'
import { Section } from '../../../parts/section.tsx'
import styles from './cockpit.module.css'

/** The steps of the flow as they are written, with the one that it is at. */

interface Line {
  /** Counted from 1 in each block: `3.1`. */
  readonly path: string
  readonly depth: number
  readonly text: string
}

type Steps = NonNullable<FlowState['flow']>['steps']
interface Block {
  readonly steps: readonly (FlowStep | Block)[]
  readonly repeat?: number | 'until_decided'
  readonly each?: string
}

export function linesOf(steps: Steps | Block['steps'], before = '', depth = 0): readonly Line[] {
  return (steps as Block['steps']).flatMap((step, at): readonly Line[] => {
    const path = `${before}${at + 1}`
    if ('action' in step) {
      const times = step.times > 1 ? ` × ${step.times}` : ''
      return [{ path, depth, text: `${step.label ?? words(`cockpit.step-${step.action}`)}${times}` }]
    }
    const title =
      step.each !== undefined
        ? words('cockpit.each')
        : step.repeat === 'until_decided'
          ? words('cockpit.until-decided')
          : words('cockpit.repeat', { count: step.repeat ?? 1 })
    return [{ path, depth, text: title }, ...linesOf(step.steps, `${path}.`, depth + 1)]
  })
}

interface Props {
  readonly flow: FlowState['flow']
  /** The path of the step that it is at. */
  readonly now: string | undefined
}

export const Steps = memo(function Steps({ flow, now }: Props) {
  if (flow === null) return null
  return (
    <Section title={words('cockpit.flow')} beside={<bdi className="small muted">{flow.name}</bdi>}>
      <ol className={styles.steps}>
        {linesOf(flow.steps).map(({ path, depth, text }) => {
          const isNow = now === path
          return (
            <li
              key={path}
              className={isNow ? styles.current : ''}
              {...(isNow && { 'aria-current': 'step' })}
              style={{ '--depth': depth } as React.CSSProperties}
            >
              {isNow && <StateIcon name="running" />}
              <bdi>{text}</bdi>
            </li>
          )
        })}
      </ol>
    </Section>
  )
})
