import { type KeyboardEvent, memo, useRef } from 'react'
import type { Scene, SceneElement } from '../../../../../src/engine/scenes/document.ts'
import { type Node, treeOf } from '../../../../overlay/model/nodes.ts'
import { words } from '../../../data/words.ts'
import { moved, setMembers } from '../draft/changes.ts'
import { type Editing, useEditing } from '../editing.ts'
import { EditorIcon, ElementIcon } from '../icons.tsx'
import { AddElement } from './add-element.tsx'
import styles from './layers.module.css'

/** The elements of the scene, what is in front first. */

interface Row {
  readonly id: string
  readonly element: SceneElement
  readonly depth: number
}

function rowsOf(nodes: readonly Node[], depth = 0): Row[] {
  return nodes
    .toReversed()
    .flatMap(({ id, element, children }) => [{ id, element, depth }, ...rowsOf(children, depth + 1)])
}

export function Layers() {
  const editing = useEditing()
  const { scene, selection, select, others, sceneId, mayEdit } = editing
  const list = useRef<HTMLUListElement>(null)
  const latest = useRef(editing)
  latest.current = editing
  const rows = rowsOf(treeOf(scene))
  const by = new Map(
    others.flatMap(({ name, color, scene: where, selection: theirs }) =>
      where === sceneId ? theirs.map((id) => [id, { name, color }] as const) : [],
    ),
  )
  const current = rows.find(({ id }) => selection.includes(id))?.id ?? rows[0]?.id
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const at = rows.findIndex(({ id }) => id === (event.target as HTMLElement).dataset.layer)
    const row = rows[at]
    if (step === 0 || row === undefined) return
    event.preventDefault()
    if (event.altKey) {
      // What is further down in the list is further back in the scene.
      if (mayEdit) reorder(editing, row.id, -step)
      return
    }
    const next = rows[at + step]
    if (next === undefined) return
    select(event.shiftKey ? [...new Set([...selection, next.id])] : [next.id])
    list.current?.querySelector<HTMLElement>(`[data-layer="${next.id}"]`)?.focus()
  }
  const press = useRef((id: string, isMore: boolean) => {
    const { selection: now, select: choose } = latest.current
    if (!isMore) choose([id])
    else choose(now.includes(id) ? now.filter((each) => each !== id) : [...now, id])
  })
  const toggle = useRef((id: string, member: 'visible' | 'locked', value: boolean | undefined) =>
    latest.current.draft.step(setMembers(latest.current.sceneId, [[id, { [member]: value }]])),
  )
  return (
    <section className={styles.layers} aria-labelledby="layers">
      <header>
        <h2 id="layers">{words('editor.layers')}</h2>
        {mayEdit && <AddElement />}
      </header>
      {rows.length === 0 ? (
        <p className="muted">{words(mayEdit ? 'editor.empty' : 'editor.empty-reader')}</p>
      ) : (
        <ul ref={list} onKeyDown={onKeyDown}>
          {rows.map(({ id, element, depth }) => (
            <Layer
              key={id}
              id={id}
              element={element}
              depth={depth}
              isChosen={selection.includes(id)}
              isCurrent={id === current}
              by={by.get(id)?.name ?? null}
              color={by.get(id)?.color ?? null}
              mayEdit={mayEdit}
              press={press.current}
              toggle={toggle.current}
            />
          ))}
        </ul>
      )}
      {mayEdit && rows.length > 0 && <p className={`small muted ${styles.tip}`}>{words('editor.layers-keys')}</p>}
    </section>
  )
}

/** Moves an element among those of the same parent. */
export function reorder({ draft, scene, sceneId }: Editing, id: string, steps: number): void {
  const parent = scene.elements[id]?.parent ?? null
  const siblings = Object.fromEntries(
    Object.entries(scene.elements).filter(([, each]) => (each.parent ?? null) === parent),
  ) as Scene['elements']
  const orders = moved(siblings, id, steps)
  if (orders.size > 0)
    draft.step(
      setMembers(
        sceneId,
        [...orders].map(([each, order]) => [each, { order }]),
      ),
    )
}

export const nameOf = ({ name, type }: Pick<SceneElement, 'name' | 'type'>): string =>
  name === '' ? words(`editor.type-${type}`) : name

interface LayerProps extends Row {
  readonly isChosen: boolean
  /** Whether Tab leads to it; arrows lead to the others. */
  readonly isCurrent: boolean
  readonly by: string | null
  readonly color: number | null
  readonly mayEdit: boolean
  readonly press: (id: string, isMore: boolean) => void
  readonly toggle: (id: string, member: 'visible' | 'locked', value: boolean | undefined) => void
}

const Layer = memo(function Layer(props: LayerProps) {
  const { id, element, depth, isChosen, isCurrent, by, color, mayEdit, press, toggle } = props
  const name = nameOf(element)
  const isHidden = element.visible === false
  const isLocked = element.locked === true
  const reach = isCurrent ? 0 : -1
  return (
    <li
      className={styles.layer}
      data-chosen={isChosen || undefined}
      style={{ '--depth': depth } as React.CSSProperties}
    >
      <button
        type="button"
        className={styles.name}
        data-layer={id}
        aria-pressed={isChosen}
        tabIndex={reach}
        onClick={(event) => press(id, event.shiftKey || event.ctrlKey || event.metaKey)}
      >
        <ElementIcon type={element.type} />
        <span className="unseen">{words(`editor.type-${element.type}`)} </span>
        <bdi>{name}</bdi>
        {Object.keys(element.bindings ?? {}).length > 0 && (
          <span className={styles.bound} title={words('editor.bound')}>
            <EditorIcon name="link" />
            <span className="unseen"> {words('editor.bound')}</span>
          </span>
        )}
        {by !== null && (
          <bdi className={styles.by} data-color={color}>
            {by}
          </bdi>
        )}
      </button>
      {mayEdit && (
        <>
          <button
            type="button"
            className={styles.act}
            data-on={isHidden || undefined}
            tabIndex={reach}
            aria-label={words(isHidden ? 'editor.show' : 'editor.hide', { name })}
            onClick={() => toggle(id, 'visible', isHidden ? undefined : false)}
          >
            <EditorIcon name={isHidden ? 'hidden' : 'shown'} />
          </button>
          <button
            type="button"
            className={styles.act}
            data-on={isLocked || undefined}
            tabIndex={reach}
            aria-label={words(isLocked ? 'editor.unlock' : 'editor.lock', { name })}
            onClick={() => toggle(id, 'locked', isLocked ? undefined : true)}
          >
            <EditorIcon name="lock" />
          </button>
        </>
      )}
    </li>
  )
})
