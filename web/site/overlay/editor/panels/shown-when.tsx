import { lazy, Suspense, useState } from 'react'
import { bindable } from '../../../../../src/engine/scenes/bindable.ts'
import type { Condition } from '../../../../../src/engine/scenes/conditions.ts'
import type { Plain } from '../../../../../src/engine/scenes/values.ts'
import { words } from '../../../data/words.ts'
import { Icon } from '../../../parts/icon.tsx'
import { newId } from '../draft/changes.ts'
import { useEditing } from '../editing.ts'
import { CheckBox, ChoiceBox, ColorBox, Group, NumberBox, TextBox } from './boxes.tsx'
import styles from './properties.module.css'
import type { OfElement } from './props.tsx'
import { TestBox } from './tests.tsx'

const PathDialog = lazy(async () => ({ default: (await import('./path-dialog.tsx')).PathDialog }))

/** When an element is seen, or is like something else: always, or by values of the data. (OV4) */

const shows = ({ set }: Condition) => set.visible === true

export function ShownWhen({ element, isShut, set }: OfElement) {
  const [chosen, setChosen] = useState<{ readonly take: (path: string) => void } | null>(null)
  const choosePath = (take: (path: string) => void) => setChosen({ take })
  const conditions = Object.entries(element.conditions ?? {})
  // What shows it by a condition is hidden otherwise.
  const hidden = (next: readonly Condition[]) => ({
    ...(next.some(shows) && { visible: false }),
    ...(!next.some(shows) && conditions.some(([, each]) => shows(each)) && { visible: undefined }),
  })
  const put = (key: string, condition: Condition | undefined) => {
    const others = conditions.flatMap(([each, other]) => (each === key ? [] : [other]))
    return set({
      [`conditions.${key}`]: condition,
      ...hidden(condition === undefined ? others : [...others, condition]),
    })
  }
  return (
    <Group title={words('editor.shown-when')}>
      {conditions.map(([key, condition], at) => (
        <section
          key={key}
          className={styles.whole}
          aria-label={words('editor.condition-of', { number: String(at + 1) })}
        >
          <TestBox
            test={condition.when}
            depth={1}
            place={String(at + 1)}
            isShut={isShut}
            put={(when) => put(key, { ...condition, when })}
            remove={() => put(key, undefined)}
            choosePath={choosePath}
          />
          <SetBy
            element={element}
            condition={condition}
            isShut={isShut}
            put={(values) => put(key, { ...condition, set: values })}
          />
        </section>
      ))}
      {!isShut && (
        <button
          type="button"
          className="btn"
          onClick={() => choosePath((path) => put(newId(), { when: { path, op: 'exists' }, set: { visible: true } }))}
        >
          <Icon name="plus" />
          {words('editor.condition')}
        </button>
      )}
      {chosen !== null && (
        <Suspense>
          <PathDialog
            title={words('editor.condition')}
            element={element}
            property={null}
            close={() => setChosen(null)}
            choose={(path) => {
              setChosen(null)
              chosen.take(path)
            }}
          />
        </Suspense>
      )}
    </Group>
  )
}

interface SetProps extends Pick<OfElement, 'element' | 'isShut'> {
  readonly condition: Condition
  readonly put: (values: Condition['set']) => boolean
}

/** What holds while the test does. */
function SetBy({ element, condition, isShut, put }: SetProps) {
  const { document: scenes } = useEditing()
  const types: Readonly<Record<string, string>> = bindable[element.type]
  const entries = Object.entries(condition.set)
  // Pictures by an address come from the data alone.
  const names = Object.keys(types).filter((name) => types[name] !== 'address')
  const label = (name: string) =>
    name.includes('.')
      ? words(`editor.edge-${name.replace('.', '-') as 'border-color'}`)
      : words(`editor.prop-${name as 'color'}`)
  return entries.map(([name, value]) => {
    const common = { label: words('editor.then-is'), disabled: isShut }
    const commit = (next: Plain | undefined) => put({ ...condition.set, [name]: next ?? null })
    const type = types[name]
    return (
      <div key={name} className={styles.motion}>
        <ChoiceBox
          label={words('editor.then-set')}
          value={name}
          disabled={isShut}
          choices={names.map((each) => [each, label(each)])}
          commit={(next) => {
            if (next === undefined || Object.hasOwn(condition.set, next)) return false
            const { [name]: _, ...rest } = condition.set
            return put({ ...rest, [next]: usualOf(types[next], element, next) })
          }}
        />
        {type === 'boolean' ? (
          <CheckBox label={label(name)} disabled={isShut} value={value === true} commit={commit} />
        ) : type === 'color' ? (
          <ColorBox
            {...common}
            value={typeof value === 'string' ? value : undefined}
            variables={scenes.variables ?? {}}
            commit={commit}
          />
        ) : type === 'number' ? (
          <NumberBox {...common} value={typeof value === 'number' ? value : undefined} commit={commit} />
        ) : (
          <TextBox {...common} value={String(value ?? '')} commit={commit} />
        )}
      </div>
    )
  })
}

/** With what a property begins: as it is without the condition. */
function usualOf(type: string | undefined, element: OfElement['element'], name: string): Plain {
  if (type === 'boolean') return true
  const given = (element.props?.[name] ?? (element as unknown as Readonly<Record<string, unknown>>)[name]) as Plain
  if (type === 'color') return typeof given === 'string' ? given : '#53d3a5'
  if (type === 'number') return typeof given === 'number' ? given : name === 'opacity' ? 1 : 0
  return typeof given === 'string' ? given : ''
}
