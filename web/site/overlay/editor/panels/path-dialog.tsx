import { useDeferredValue, useState } from 'react'
import { type BoundType, bindable } from '../../../../../src/engine/scenes/bindable.ts'
import type { SceneElement } from '../../../../../src/engine/scenes/document.ts'
import { isPlain, textOf } from '../../../../../src/engine/scenes/values.ts'
import type { Reading } from '../../../../overlay/model/joined.ts'
import { address } from '../../../data/api.ts'
import type { OverlayBindings } from '../../../data/generated.ts'
import { useRead } from '../../../data/queries.ts'
import { words } from '../../../data/words.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { useEditing } from '../editing.ts'
import styles from './path-dialog.module.css'
import { useReading } from './reading.ts'

/** Chooses a place of the data tree, by its value. */

interface Props {
  readonly title: string
  readonly element: SceneElement
  /** The property that is bound; null where any value will do. */
  readonly property: string | null
  readonly close: () => void
  readonly choose: (path: string) => void
}

interface Place {
  readonly path: string
  readonly words: string
}

/** Types of values by the type of a property: any text shows any value. */
const fitting: Readonly<Record<BoundType, readonly string[] | null>> = {
  text: null,
  number: ['number', 'plain'],
  boolean: ['boolean', 'plain'],
  color: ['color', 'plain', 'text'],
  address: ['address', 'plain'],
}

const maxShown = 150
const maxEntries = 6

export function PathDialog({ title, close, ...props }: Props) {
  const read = useRead(address('/overlays/bindings', {}))
  return (
    <Dialog title={title} close={close}>
      <Loaded of={read} rows={8}>
        {(bindings) => <Choice bindings={bindings} {...props} />}
      </Loaded>
    </Dialog>
  )
}

function Choice({
  bindings,
  element,
  property,
  choose,
}: Omit<Props, 'title' | 'close'> & { readonly bindings: OverlayBindings }) {
  const { scene, isLive } = useEditing()
  const reading = useReading()
  const [typed, setTyped] = useState('')
  const asked = useDeferredValue(typed.trim().toLowerCase())
  const types = property === null ? null : (fitting[bindable[element.type][property] ?? 'text'] ?? null)
  const parent = scene.elements[element.parent ?? '']
  const source = parent?.type === 'list' ? String(parent.props?.source ?? '') : null
  const places = placesOf(bindings, types, reading, source).filter(
    ({ path, words: about }) =>
      asked === '' || asked.split(/\s+/).every((word) => `${path} ${about}`.toLowerCase().includes(word)),
  )
  return (
    <>
      <label className="field">
        <span className="strong">{words('editor.find-path')}</span>
        <input
          className="in"
          type="search"
          // biome-ignore lint/a11y/noAutofocus: the dialog is for what is typed here
          autoFocus
          value={typed}
          placeholder={words('editor.find-example')}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <p className="small muted" role="status">
        {words('editor.found', { count: places.length })}
      </p>
      <ul className={`lines ${styles.places}`}>
        {places.slice(0, maxShown).map(({ path, words: about }) => (
          <li key={path}>
            <button type="button" onClick={() => choose(path)}>
              <span>
                <span className="strong">{about}</span>
                <span className="code small">{path}</span>
              </span>
              <Value of={path} reading={reading} isLive={isLive} />
            </button>
          </li>
        ))}
      </ul>
      {places.length > maxShown && <p className="small muted">{words('editor.more-found')}</p>}
    </>
  )
}

function Value({
  of,
  reading,
  isLive,
}: {
  readonly of: string
  readonly reading: Reading | null
  readonly isLive: boolean
}) {
  if (/^(item|index)\b/.test(of)) return null
  const value = reading?.read(of, [])
  const text = isPlain(value) ? textOf(value) : ''
  return (
    <span className={styles.value}>
      <bdi>{text === '' ? words('editor.no-value') : text}</bdi>{' '}
      <span className="small muted">{words(isLive ? 'editor.live' : 'editor.sample')}</span>
    </span>
  )
}

/** The paths with places of lists filled in: both sides, and the first entries of what is longer. */
function placesOf(
  { paths }: OverlayBindings,
  types: readonly string[] | null,
  reading: Reading | null,
  source: string | null,
): Place[] {
  const isShown = (type: string) => (types === null ? !['list', 'object', 'guid'].includes(type) : types.includes(type))
  const found: Place[] = []
  if (source !== null) {
    if (types === null || types.includes('number')) found.push({ path: 'index', words: words('editor.index') })
    const within = `${source}.{n}`
    for (const { path, type, words: about } of paths) {
      const own = path.replace(/\.\d+(?=\.|$)/g, '.{n}')
      const inner = own.startsWith(`${within}.`) ? `item${own.slice(within.length)}` : own === within ? 'item' : null
      if (inner !== null && !inner.includes('{') && isShown(type)) found.push({ path: inner, words: about })
    }
  }
  for (const { path, type, words: about } of paths) {
    if (!isShown(type)) continue
    for (const filled of filledIn(path, reading)) found.push({ path: filled, words: about })
  }
  return found
}

function filledIn(path: string, reading: Reading | null): string[] {
  const at = /^(.*?)\.\{(n|name)\}(.*)$/.exec(path)
  if (at === null) return [path]
  const [, before = '', kind, after = ''] = at
  const value = reading?.read(before, [])
  const names =
    kind === 'name'
      ? Object.keys(typeof value === 'object' && value !== null ? value : {})
      : Array.from(
          {
            length: before === 'sides' ? 2 : Math.min(maxEntries, Array.isArray(value) ? Math.max(1, value.length) : 1),
          },
          (_, each) => String(each),
        )
  return names.flatMap((name) => filledIn(`${before}.${name}${after}`, reading))
}
