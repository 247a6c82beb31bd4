import { type Scene, sceneRoles } from '../../../../../src/engine/scenes/document.ts'
import { words } from '../../../data/words.ts'
import { Icon } from '../../../parts/icon.tsx'
import {
  additions,
  addScene,
  copiesOf,
  lastOrder,
  moved,
  newId,
  removals,
  removeScene,
  setScene,
  setTop,
} from '../draft/changes.ts'
import { useEditing } from '../editing.ts'
import { ChoiceBox, ColorBox, Group, NumberBox, TextBox } from './boxes.tsx'
import { Fonts } from './fonts.tsx'
import styles from './properties.module.css'

/** The scene, and what all scenes share: the canvas, the colours and texts that have a name, and the fonts. */
export function DocumentProperties() {
  const editing = useEditing()
  const { scene, sceneId, document: scenes, draft, mayEdit, openScene } = editing
  const isShut = !mayEdit
  const count = Object.keys(scenes.scenes).length
  const move = (steps: number) => {
    const orders = moved(scenes.scenes, sceneId, steps)
    if (orders.size > 0)
      draft.step((root) => {
        for (const [id, order] of orders) setScene(id, { order })(root)
      })
  }
  const duplicate = () => {
    const id = newId()
    const copy: Scene = {
      ...scene,
      name: words('editor.copy-of', { name: scene.name }).slice(0, 60),
      order: lastOrder(scenes.scenes),
    }
    const elements = copiesOf(Object.entries(scene.elements), {}, 0)
    if (draft.steps([addScene(id, copy), ...additions(id, elements)])) openScene(id)
  }
  const remove = () => {
    const all = Object.keys(scene.elements)
    draft.steps([...removals(sceneId, scene, all), removeScene(sceneId)])
  }
  return (
    <>
      <header>
        <h2>
          <bdi>{scene.name}</bdi>
        </h2>
        <span className="muted">{words('editor.scene')}</span>
      </header>
      <div className={styles.group}>
        <TextBox
          label={words('editor.prop-name')}
          value={scene.name}
          maxLength={60}
          disabled={isShut}
          commit={(name) => draft.step(setScene(sceneId, { name }))}
        />
        <ChoiceBox
          label={words('editor.role')}
          value={scene.role}
          disabled={isShut}
          none={words('editor.no-role')}
          choices={sceneRoles.map((role) => [role, words(`editor.role-${role}`)])}
          commit={(role) => draft.step(setScene(sceneId, { role }))}
        />
        {mayEdit && (
          <div className="btns">
            <button
              type="button"
              className="btn btn-icon"
              aria-label={words('editor.scene-earlier')}
              onClick={() => move(-1)}
            >
              <Icon name="back" />
            </button>
            <button
              type="button"
              className={`btn btn-icon ${styles.later}`}
              aria-label={words('editor.scene-later')}
              onClick={() => move(1)}
            >
              <Icon name="back" />
            </button>
            <button type="button" className="btn" onClick={duplicate}>
              {words('editor.duplicate')}
            </button>
            {count > 1 && (
              <button type="button" className="btn btn-danger" onClick={remove}>
                {words('editor.remove')}
              </button>
            )}
          </div>
        )}
      </div>
      <Group title={words('editor.canvas-of')}>
        <div className={styles.pairs}>
          {(['width', 'height'] as const).map((member) => (
            <NumberBox
              key={member}
              label={words(`editor.prop-${member}`)}
              value={scenes.canvas[member]}
              disabled={isShut}
              commit={(value) => value !== undefined && draft.step(setTop('canvas', { [member]: Math.round(value) }))}
            />
          ))}
        </div>
        <ColorBox
          label={words('editor.prop-background')}
          value={scenes.canvas.background === 'transparent' ? undefined : scenes.canvas.background}
          disabled={isShut}
          variables={scenes.variables ?? {}}
          commit={(color) => draft.step(setTop('canvas', { background: color ?? 'transparent' }))}
        />
      </Group>
      <Variables />
      <Fonts />
    </>
  )
}

const isColor = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}/i.test(value)

/** Colours and texts that several elements use by a name: changed once, they change everywhere. */
function Variables() {
  const { document: scenes, draft, mayEdit } = useEditing()
  const variables = scenes.variables ?? {}
  const put = (name: string, value: string | number | boolean | undefined) =>
    draft.step(setTop('variables', { [name]: value }))
  const add = () => {
    const number = Array.from({ length: 60 }, (_, at) => at + 1).find((at) => !Object.hasOwn(variables, `color${at}`))
    put(`color${number ?? 60}`, '#53d3a5')
  }
  return (
    <Group title={words('editor.variables')}>
      {Object.entries(variables)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) =>
          isColor(value) ? (
            <ColorBox
              key={name}
              label={name}
              value={value}
              disabled={!mayEdit}
              variables={{}}
              commit={(color) => put(name, color)}
            />
          ) : (
            <TextBox
              key={name}
              label={name}
              value={String(value)}
              disabled={!mayEdit}
              commit={(text) =>
                put(
                  name,
                  typeof value === 'boolean' ? text === 'true' : typeof value === 'number' ? Number(text) : text,
                )
              }
            />
          ),
        )}
      {mayEdit && (
        <button type="button" className="btn" onClick={add}>
          <Icon name="plus" />
          {words('editor.add-color')}
        </button>
      )}
    </Group>
  )
}
