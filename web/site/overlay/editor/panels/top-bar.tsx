import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { words } from '../../../data/words.ts'
import { State } from '../../../parts/state.tsx'
import { useEditing } from '../editing.ts'
import { EditorIcon } from '../icons.tsx'
import { samples } from '../use-filling.ts'
import { Publish } from './publish.tsx'
import styles from './top-bar.module.css'

const Versions = lazy(async () => ({ default: (await import('./versions.tsx')).Versions }))
const Files = lazy(async () => ({ default: (await import('./files.tsx')).Files }))
const Addresses = lazy(async () => ({ default: (await import('./addresses.tsx')).Addresses }))

const layers = { versions: Versions, files: Files, addresses: Addresses } as const

interface Props {
  readonly source: string
  readonly mayPublish: boolean
  readonly choose: (source: string) => void
}

export function TopBar({ source, mayPublish, choose }: Props) {
  const { tournament, overlay, state, draft, others, mayEdit } = useEditing()
  const [open, setOpen] = useState<keyof typeof layers | null>(null)
  const isDirty = useIsDirty()
  const Layer = open === null ? null : layers[open]
  const { published } = overlay
  return (
    <header className={styles.top}>
      <div>
        <Link to="/manage/$tournament/overlays" params={{ tournament }}>
          {words('manage.overlays')}
        </Link>
        <h1>
          <bdi>{overlay.name}</bdi>
        </h1>
        <span className="small">
          <State shape={isDirty ? 'waiting' : 'done'} tone="quiet">
            {published === null
              ? words('editor.unpublished')
              : words(isDirty ? 'editor.differs' : 'editor.is-published', { version: published.version })}
          </State>
        </span>
      </div>
      <div>
        {mayEdit && (
          <span className="choices">
            <button
              type="button"
              className="btn btn-icon"
              aria-label={words('editor.undo')}
              title={words('editor.undo')}
              aria-disabled={!state.canUndo}
              onClick={() => draft.undo()}
            >
              <EditorIcon name="undo" />
            </button>
            <button
              type="button"
              className="btn btn-icon"
              aria-label={words('editor.redo')}
              title={words('editor.redo')}
              aria-disabled={!state.canRedo}
              onClick={() => draft.redo()}
            >
              <EditorIcon name="redo" />
            </button>
          </span>
        )}
        <label className={styles.data}>
          <span className="unseen">{words('editor.data')}</span>
          <select className="in" value={source} onChange={({ target }) => choose(target.value)}>
            <option value="live">
              {overlay.match === null
                ? words('editor.data-live')
                : words('editor.data-match', { number: overlay.match.number })}
            </option>
            {samples.map((each) => (
              <option key={each} value={each}>
                {words(`editor.data-${each}`)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="btn" onClick={() => setOpen('versions')}>
          {words('editor.versions')}
        </button>
        {mayEdit && (
          <button type="button" className="btn" onClick={() => setOpen('files')}>
            {words('editor.files')}
          </button>
        )}
        {mayPublish && (
          <button type="button" className="btn" onClick={() => setOpen('addresses')}>
            {words('editor.addresses')}
          </button>
        )}
        {/* Opened anew: the control shows pages in frames, which the policy of this one does not allow. */}
        <a className="btn" href={`/overlay/control/${overlay.guid}`}>
          {words('editor.control')}
        </a>
      </div>
      <div>
        <span className={styles.here}>
          {others.map(({ connection, name, color }) => (
            <span key={connection} className={styles.face} data-color={color} title={name} aria-hidden="true">
              {name.slice(0, 2)}
            </span>
          ))}
          <span className="small muted" role="status">
            {others.length > 0 && `${words('editor.also', { names: others.map(({ name }) => name).join(', ') })} `}
            {mayEdit && words(state.unsent > 0 ? 'editor.saving' : 'editor.saved')}
          </span>
        </span>
        {mayPublish && state.isFollowed && <Publish isDirty={isDirty} />}
      </div>
      {Layer !== null && (
        <Suspense>
          <Layer close={() => setOpen(null)} />
        </Suspense>
      )}
    </header>
  )
}

/** Whether the draft differs from what pages show. */
function useIsDirty(): boolean {
  const { tournament, overlay, document: draft } = useEditing()
  const at = { tournament, overlay: overlay.guid }
  const published = useRead(
    overlay.published === null ? null : address('/tournaments/{tournament}/overlays/{overlay}/published', at),
    { live: true },
  ).data
  // A large document is compared after it was drawn.
  const later = useDeferredValue(draft)
  return useMemo(() => published === undefined || !isSame(published.document, later), [published, later])
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name as never], other[name as never]))
  )
}
