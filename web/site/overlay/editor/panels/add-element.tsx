import { useRef } from 'react'
import { type ElementType, elementTypes, type SceneElement } from '../../../../../src/engine/scenes/document.ts'
import { words } from '../../../data/words.ts'
import { Icon } from '../../../parts/icon.tsx'
import { addElements, lastOrder, newId } from '../draft/changes.ts'
import { useEditing } from '../editing.ts'
import { ElementIcon } from '../icons.tsx'
import styles from './add-element.module.css'

/** What can be put on a scene. A new element is in the middle of the canvas, and can be seen at once. */

const sizes: Readonly<Partial<Record<ElementType, readonly [width: number, height: number]>>> = {
  text: [600, 90],
  image: [400, 400],
  bar: [600, 24],
  pips: [240, 24],
  timer: [240, 90],
  mapCard: [640, 140],
  casters: [640, 100],
  stream: [640, 360],
  list: [600, 400],
  group: [600, 400],
}

const looks: Readonly<Partial<Record<ElementType, Readonly<Record<string, unknown>>>>> = {
  text: {
    size: 64,
    color: '#ffffff',
    align: 'center',
    verticalAlign: 'middle',
    fit: 'shrink',
    font: 'display',
    weight: 700,
  },
  shape: { form: 'rectangle', fill: '#0e1311' },
  bar: { mode: 'progress', value: 50, max: 100 },
  pips: { value: 1, total: 3 },
  timer: { source: 'countdown', size: 64, color: '#ffffff', font: 'display', weight: 700 },
  list: { source: 'standings', max: 8 },
}

export function AddElement() {
  const { document: scenes, sceneId, scene, draft, select } = useEditing()
  const layer = useRef<HTMLDivElement>(null)
  const add = (type: ElementType) => {
    const id = newId()
    const [width, height] = sizes[type] ?? [800, 450]
    const { canvas } = scenes
    const props = { ...looks[type], ...(type === 'text' && { text: words('editor.new-text') }) }
    const element: SceneElement = {
      type,
      name: words(`editor.type-${type}`),
      order: lastOrder(scene.elements),
      x: Math.round((canvas.width - width) / 2),
      y: Math.round((canvas.height - height) / 2),
      width,
      height,
      ...(Object.keys(props).length > 0 && { props }),
    }
    layer.current?.hidePopover()
    if (draft.step(addElements(sceneId, [[id, element]]))) select([id])
  }
  return (
    <>
      <button
        type="button"
        className="btn btn-quiet btn-icon"
        popoverTarget="add-element"
        aria-label={words('editor.add')}
        title={words('editor.add')}
      >
        <Icon name="plus" />
      </button>
      <div ref={layer} id="add-element" popover="auto" className={styles.layer}>
        <ul aria-label={words('editor.add')}>
          {elementTypes.map((type) => (
            <li key={type}>
              <button type="button" onClick={() => add(type)}>
                <ElementIcon type={type} />
                {words(`editor.type-${type}`)}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
