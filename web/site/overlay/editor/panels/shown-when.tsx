import { lazy, Suspense, useState } from 'react'
import type { Condition } from '../../../../../src/engine/scenes/conditions.ts'
import { words } from '../../../data/words.ts'
import { Icon } from '../../../parts/icon.tsx'
import { newId } from '../draft/changes.ts'
import { ChoiceBox, Group, TextBox } from './boxes.tsx'
import styles from './properties.module.css'
import type { OfElement } from './props.tsx'

const PathDialog = lazy(async () => ({ default: (await import('./path-dialog.tsx')).PathDialog }))

/** When an element is seen: always, or by a value of the data. */

const operators = ['exists', 'empty', 'eq', 'ne', 'gt', 'lt', 'gte', 'lte'] as const
type Operator = (typeof operators)[number]

interface Comparison {
  readonly path: string
  readonly op: Operator
  readonly value?: string | number | boolean | null
}

/** A condition that shows or hides by one comparison; others are left as they are. */
function comparisonIn({ when, set }: Condition): Comparison | null {
  if (!('path' in when) || !operators.some((each) => each === when.op)) return null
  return Object.keys(set).join() === 'visible' ? (when as Comparison) : null
}

export function ShownWhen({ element, isShut, set }: OfElement) {
  const [isChoosing, setChoosing] = useState(false)
  const conditions = Object.entries(element.conditions ?? {})
  const simple = conditions.flatMap(([key, condition]) => {
    const comparison = comparisonIn(condition)
    return comparison === null ? [] : [{ key, comparison, isShown: condition.set.visible === true }]
  })
  const put = (key: string, { path, op, value }: Comparison, isShown: boolean) => {
    const when = op === 'exists' || op === 'empty' ? { path, op } : { path, op, value: value ?? '' }
    // What shows it by a condition is hidden otherwise.
    return set({
      [`conditions.${key}`]: { when, set: { visible: isShown } },
      ...(isShown && { visible: false }),
    })
  }
  const remove = (key: string) =>
    set({ [`conditions.${key}`]: undefined, ...(simple.length === 1 && { visible: undefined }) })
  return (
    <Group title={words('editor.shown-when')}>
      {simple.map(({ key, comparison, isShown }) => (
        <div key={key} className={styles.condition}>
          <span className="code small">{comparison.path}</span>
          <ChoiceBox
            label={words('editor.test')}
            value={comparison.op}
            disabled={isShut}
            choices={operators.map((op) => [op, words(`editor.op-${op}`)])}
            commit={(op) => op !== undefined && put(key, { ...comparison, op }, isShown)}
          />
          {comparison.op !== 'exists' && comparison.op !== 'empty' && (
            <TextBox
              label={words('editor.compared')}
              value={String(comparison.value ?? '')}
              disabled={isShut}
              commit={(text) => put(key, { ...comparison, value: typedValue(text) }, isShown)}
            />
          )}
          {!isShut && (
            <button type="button" className="btn" onClick={() => remove(key)}>
              {words('editor.remove-condition')}
            </button>
          )}
        </div>
      ))}
      {conditions.length > simple.length && (
        <p className="small muted">{words('editor.other-conditions', { count: conditions.length - simple.length })}</p>
      )}
      {!isShut && (
        <button type="button" className="btn" onClick={() => setChoosing(true)}>
          <Icon name="plus" />
          {words('editor.condition')}
        </button>
      )}
      {isChoosing && (
        <Suspense>
          <PathDialog
            title={words('editor.condition')}
            element={element}
            property={null}
            close={() => setChoosing(false)}
            choose={(path) => {
              setChoosing(false)
              put(newId(), { path, op: 'exists' }, true)
            }}
          />
        </Suspense>
      )}
    </Group>
  )
}

/** Numbers and yes or no are compared as such. */
function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
