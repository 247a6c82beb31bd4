import { words } from '../../../data/words.ts'
import { type Members, setMembers } from '../draft/changes.ts'
import { useChosen, useEditing } from '../editing.ts'
import { aligned, alignments, isLocked, outermost } from '../geometry.ts'
import { EditorIcon, ElementIcon } from '../icons.tsx'
import { duplicate, remove, unlocked } from '../use-keys.ts'
import { CheckBox, Group, NumberBox, TextBox } from './boxes.tsx'
import { DocumentProperties } from './document-properties.tsx'
import { dissolve, isGroupable, makeGroup } from './grouping.ts'
import { nameOf, reorder } from './layers.tsx'
import { Motions } from './motions.tsx'
import styles from './properties.module.css'
import { Props } from './props.tsx'
import { shownForOne } from './refusal.tsx'
import { ShownWhen } from './shown-when.tsx'

/** What the chosen elements are like; without one, the scene and the whole overlay. */
export function Properties() {
  const { selection } = useEditing()
  return (
    <section className={styles.properties} aria-label={words('editor.properties')}>
      {selection.length === 0 ? <DocumentProperties /> : selection.length === 1 ? <OfElement /> : <OfSeveral />}
    </section>
  )
}

function Align() {
  const { scene, document: scenes, set, mayEdit } = useEditing()
  const editing = useEditing()
  return (
    <fieldset className="choices" aria-label={words('editor.align')}>
      {alignments.map((to) => (
        <button
          key={to}
          type="button"
          className="btn btn-icon"
          disabled={!mayEdit}
          aria-label={words(`editor.align-${to}`)}
          title={words(`editor.align-${to}`)}
          onClick={() => set(aligned(scene.elements, unlocked(editing), scenes.canvas, to))}
        >
          <EditorIcon name={to} />
        </button>
      ))}
    </fieldset>
  )
}

function Acts() {
  const editing = useEditing()
  const chosen = useChosen()
  if (!editing.mayEdit) return null
  return (
    <div className="btns">
      <button type="button" className="btn" onClick={() => duplicate(editing)}>
        {words('editor.duplicate')}
      </button>
      {isGroupable(editing) && (
        <button type="button" className="btn" onClick={() => makeGroup(editing)}>
          {words('editor.group')}
        </button>
      )}
      {chosen?.element.type === 'group' && (
        <button type="button" className="btn" onClick={() => dissolve(editing, chosen.id)}>
          {words('editor.dissolve')}
        </button>
      )}
      <button type="button" className="btn btn-danger" onClick={() => remove(editing)}>
        {words('editor.remove')}
      </button>
    </div>
  )
}

function OfSeveral() {
  const { selection, scene } = useEditing()
  return (
    <>
      <header>
        <h2>{words('editor.several', { count: selection.length })}</h2>
      </header>
      <div className={styles.group}>
        <Align />
        <p className="small muted">
          <bdi>
            {outermost(scene.elements, selection)
              .map((id) => nameOf(scene.elements[id] ?? { name: '', type: 'text' }))
              .join(', ')}
          </bdi>
        </p>
        <Acts />
      </div>
    </>
  )
}

function OfElement() {
  const editing = useEditing()
  const { scene, draft, sceneId, mayEdit } = editing
  const chosen = useChosen()
  if (chosen === null) return null
  const { id, element } = chosen
  const isShut = !mayEdit || isLocked(scene.elements, id)
  const set = (members: Members, joins?: boolean) => draft.step(setMembers(sceneId, [[id, members]]), joins)
  const place = (member: 'x' | 'y' | 'width' | 'height' | 'rotation') => ({
    label: words(`editor.prop-${member}`),
    disabled: isShut,
    commit: (value: number | undefined, joins?: boolean) => {
      if (value === undefined) return false
      const { width, height } = element
      const keeps = element.keepAspect === true
      const other =
        keeps && member === 'width'
          ? { height: (height * value) / width }
          : keeps && member === 'height'
            ? { width: (width * value) / height }
            : {}
      return set({ [member]: member === 'rotation' && value === 0 ? undefined : value, ...other }, joins)
    },
  })
  return (
    <>
      <header>
        <h2>
          <bdi>{nameOf(element)}</bdi>
        </h2>
        <span className="muted">
          <ElementIcon type={element.type} /> {words(`editor.type-${element.type}`)}
        </span>
      </header>
      {isShut && mayEdit && <p className="notice small">{words('editor.is-locked')}</p>}
      <div className={styles.group}>
        <Align />
        <div className={styles.pairs}>
          <NumberBox {...place('x')} value={element.x} />
          <NumberBox {...place('y')} value={element.y} />
          <NumberBox {...place('width')} value={element.width} />
          <NumberBox {...place('height')} value={element.height} />
          <NumberBox {...place('rotation')} value={element.rotation} otherwise={0} unit="°" />
          <NumberBox
            label={words('editor.prop-opacity')}
            value={element.opacity}
            otherwise={1}
            times={shownForOne.opacity}
            unit="%"
            disabled={isShut}
            commit={(value, joins) => set({ opacity: value === 1 ? undefined : value }, joins)}
          />
        </div>
        <CheckBox
          label={words('editor.prop-keepAspect')}
          value={element.keepAspect === true}
          disabled={isShut}
          commit={(value) => set({ keepAspect: value || undefined })}
        />
      </div>
      <Props key={id} id={id} element={element} isShut={isShut} set={set} />
      <ShownWhen element={element} isShut={isShut} set={set} />
      <Motions element={element} isShut={isShut} set={set} />
      <Group title={words('editor.name-of')}>
        <TextBox
          label={words('editor.prop-name')}
          value={element.name}
          maxLength={60}
          disabled={isShut}
          commit={(name) => set({ name })}
        />
        {mayEdit && (
          <div className="btns">
            <button type="button" className="btn" onClick={() => reorder(editing, id, 1)}>
              {words('editor.forward')}
            </button>
            <button type="button" className="btn" onClick={() => reorder(editing, id, -1)}>
              {words('editor.backward')}
            </button>
          </div>
        )}
        <Acts />
      </Group>
    </>
  )
}
