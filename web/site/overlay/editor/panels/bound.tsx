import { lazy, Suspense, useState } from 'react'
import type { Binding } from '../../../../../src/engine/scenes/document.ts'
import { formatted } from '../../../../../src/engine/scenes/formatters.ts'
import { textOf } from '../../../../../src/engine/scenes/values.ts'
import { words } from '../../../data/words.ts'
import { newId } from '../draft/changes.ts'
import { useEditing } from '../editing.ts'
import { EditorIcon } from '../icons.tsx'
import { TextBox } from './boxes.tsx'
import { Formats } from './formats.tsx'
import styles from './properties.module.css'
import type { OfElement } from './props.tsx'
import { useReading } from './reading.ts'

const PathDialog = lazy(async () => ({ default: (await import('./path-dialog.tsx')).PathDialog }))

/** A property that follows the data: to what it is bound, and its value now. */
export function Bound({
  property,
  element,
  isShut,
  set,
  isBrief = false,
}: OfElement & { readonly property: string; readonly isBrief?: boolean }) {
  const { isLive } = useEditing()
  const reading = useReading()
  const [isChoosing, setChoosing] = useState(false)
  const [key, binding] = Object.entries(element.bindings ?? {}).find(([, each]) => each.property === property) ?? []
  const label = words(`editor.prop-${property as 'text'}`)
  const put = (next: Binding | undefined) => set({ [`bindings.${key ?? newId()}`]: next })
  const raw = binding === undefined ? undefined : reading?.read(binding.path, [])
  const shown =
    binding === undefined || reading === null ? '' : textOf(formatted(raw, binding.format ?? [], reading.around))
  return (
    <>
      {binding === undefined ? (
        !isShut && (
          <button
            type="button"
            className={`btn btn-quiet ${isBrief ? styles.brief : styles.bind}`}
            title={isBrief ? words('editor.bind', { label }) : undefined}
            onClick={() => setChoosing(true)}
          >
            <EditorIcon name="link" />
            <span className={isBrief ? 'unseen' : undefined}>{words('editor.bind', { label })}</span>
          </button>
        )
      ) : (
        <div className={styles.bound}>
          <span className={styles.linked}>
            <EditorIcon name="link" />
          </span>
          <span>
            <span className="unseen">{words('editor.bound-to', { label })} </span>
            <span className="code small">{binding.path}</span>
            <span className="strong">
              <bdi>{shown === '' ? words('editor.no-value') : shown}</bdi>{' '}
              <span className="muted small">{words(isLive ? 'editor.live' : 'editor.sample')}</span>
            </span>
          </span>
          {!isShut && (
            <span className="btns">
              <button type="button" className="btn" onClick={() => setChoosing(true)}>
                {words('editor.change')}
                <span className="unseen"> {label}</span>
              </button>
              <button type="button" className="btn" onClick={() => put(undefined)}>
                {words('editor.unbind')}
                <span className="unseen"> {label}</span>
              </button>
            </span>
          )}
        </div>
      )}
      {binding !== undefined && property !== 'address' && <Formats binding={binding} isShut={isShut} put={put} />}
      {binding !== undefined && property !== 'address' && (
        <TextBox
          label={words('editor.when-empty')}
          value={binding.fallback === undefined ? '' : String(binding.fallback ?? '')}
          disabled={isShut}
          commit={(text) => {
            const { fallback: _, ...rest } = binding
            return put(text === '' ? rest : { ...rest, fallback: text })
          }}
        />
      )}
      {isChoosing && (
        <Suspense>
          <PathDialog
            title={words('editor.bind', { label })}
            element={element}
            property={property}
            close={() => setChoosing(false)}
            choose={(path) => {
              setChoosing(false)
              put({ ...(binding ?? {}), property, path })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
