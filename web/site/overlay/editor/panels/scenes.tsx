import { inOrder } from '../../../../../src/engine/scenes/order.ts'
import { words } from '../../../data/words.ts'
import { Icon } from '../../../parts/icon.tsx'
import { addScene, lastOrder, newId } from '../draft/changes.ts'
import { useEditing } from '../editing.ts'
import styles from './scenes.module.css'

/** The scenes of the overlay, in their order. */
export function Scenes() {
  const { document: scenes, sceneId, openScene, mayEdit, draft, others } = useEditing()
  const add = () => {
    const id = newId()
    const number = Object.keys(scenes.scenes).length + 1
    const scene = { name: words('editor.scene-name', { number }), order: lastOrder(scenes.scenes), elements: {} }
    if (draft.step(addScene(id, scene))) openScene(id)
  }
  return (
    <nav className={styles.scenes} aria-label={words('editor.scenes')}>
      <ul>
        {inOrder(scenes.scenes).map(([id, { name }]) => {
          const here = others.filter(({ scene }) => scene === id)
          return (
            <li key={id}>
              <button type="button" aria-current={id === sceneId || undefined} onClick={() => openScene(id)}>
                <bdi>{name}</bdi>
                {here.length > 0 && (
                  <span className={styles.here} title={here.map((each) => each.name).join(', ')}>
                    <span className="unseen">
                      {words('editor.here', { names: here.map((each) => each.name).join(', ') })}
                    </span>
                    <span aria-hidden="true">{here.length}</span>
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      {mayEdit && (
        <button type="button" className="btn btn-quiet" onClick={add}>
          <Icon name="plus" />
          {words('editor.scene')}
        </button>
      )}
    </nav>
  )
}
