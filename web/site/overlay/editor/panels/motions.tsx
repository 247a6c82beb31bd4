import { type Motion, motionKinds } from '../../../../../src/engine/scenes/document.ts'
import { words } from '../../../data/words.ts'
import { ChoiceBox, Group, NumberBox } from './boxes.tsx'
import styles from './properties.module.css'
import type { OfElement } from './props.tsx'

/** How an element comes, goes and changes on air. The editor itself shows no motion. (OV5) */

const moments = ['enter', 'exit', 'change'] as const
const directions = ['up', 'down', 'left', 'right'] as const

export function Motions({ element, isShut, set }: OfElement) {
  return (
    <Group title={words('editor.motion')}>
      {moments.map((moment) => {
        const motion: Motion | undefined = element.animation?.[moment]
        const put = (next: Motion | undefined, joins?: boolean) => set({ [`animation.${moment}`]: next }, joins)
        return (
          <div key={moment} className={styles.motion}>
            <ChoiceBox
              label={words(`editor.motion-${moment}`)}
              value={motion?.kind}
              disabled={isShut}
              none={words('editor.no-motion')}
              choices={motionKinds.map((kind) => [kind, words(`editor.value-${kind}`)])}
              commit={(kind) => put(kind === undefined ? undefined : { ...motion, kind })}
            />
            {motion !== undefined && motion.kind !== 'none' && (
              <div className={styles.pairs}>
                <NumberBox
                  label={words('editor.duration')}
                  value={motion.durationMs}
                  disabled={isShut}
                  unit="ms"
                  commit={(durationMs, joins) =>
                    put({ ...motion, ...(durationMs !== undefined && { durationMs }) }, joins)
                  }
                />
                <NumberBox
                  label={words('editor.delay')}
                  value={motion.delayMs}
                  disabled={isShut}
                  unit="ms"
                  commit={(delayMs, joins) => put({ ...motion, ...(delayMs !== undefined && { delayMs }) }, joins)}
                />
              </div>
            )}
            {(motion?.kind === 'slide' || motion?.kind === 'wipe') && (
              <ChoiceBox
                label={words('editor.prop-direction')}
                value={motion.direction}
                disabled={isShut}
                choices={directions.map((each) => [each, words(`editor.value-${each}`)])}
                commit={(direction) => put({ ...motion, ...(direction !== undefined && { direction }) })}
              />
            )}
          </div>
        )
      })}
    </Group>
  )
}
