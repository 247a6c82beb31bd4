import { useState } from 'react'
import { address } from '../../../data/api.ts'
import type { OverlayVersion } from '../../../data/generated.ts'
import { usePages } from '../../../data/queries.ts'
import { useMay } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { State } from '../../../parts/state.tsx'
import { Ago } from '../../../parts/time.tsx'
import { useEditing } from '../editing.ts'
import styles from './dialogs.module.css'

/** The versions that are kept. One that is restored becomes the draft, by changes that each editor sees. */
export function Versions({ close }: { readonly close: () => void }) {
  const { tournament, overlay, mayEdit } = useEditing()
  const mayPublish = useMay()('scenes.publish')
  const params = { tournament, overlay: overlay.guid }
  const at = address('/tournaments/{tournament}/overlays/{overlay}/versions', params)
  const read = usePages(at)
  const [name, setName] = useState('')
  const keep = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/versions', () => {
    setName('')
    void read.refetch()
  })
  const restore = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/versions/{version}/restore', (known) => {
    known.renew(`/tournaments/${tournament}/overlays`)
    close()
  })
  const versions = read.data?.pages.flatMap((page) => page.versions)
  const error = keep.error ?? restore.error ?? (versions === undefined ? read.error : null)
  return (
    <Dialog title={words('editor.versions')} close={close}>
      {error !== null && (
        <p className="notice notice-alert" role="alert">
          {error.message}
        </p>
      )}
      {mayEdit && (
        <form
          className={styles.line}
          onSubmit={(event) => {
            event.preventDefault()
            void keep.send({ params, body: { name } })
          }}
        >
          <label className="field">
            <span>{words('editor.keep')}</span>
            <input
              className="in"
              required
              maxLength={60}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
          <button type="submit" className="btn" aria-disabled={keep.isSending}>
            {words('editor.keep-now')}
          </button>
        </form>
      )}
      {versions?.length === 0 && <p className="muted">{words('editor.no-versions')}</p>}
      <ul className={`lines ${styles.list}`}>
        {versions?.map((version) => (
          <li key={version.number} className={styles.line}>
            <About version={version} />
            {mayEdit && (
              <div className="btns">
                <button
                  type="button"
                  className="btn"
                  aria-disabled={restore.isSending}
                  onClick={() => void restore.send({ params: { ...params, version: version.number }, body: {} })}
                >
                  {words('editor.restore')}
                  <span className="unseen"> {version.number}</span>
                </button>
                {mayPublish && !version.current && version.kind === 'published' && (
                  <button
                    type="button"
                    className="btn"
                    aria-disabled={restore.isSending}
                    onClick={() =>
                      void restore.send({ params: { ...params, version: version.number }, body: { publish: true } })
                    }
                  >
                    {words('editor.restore-publish')}
                    <span className="unseen"> {version.number}</span>
                  </button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {read.hasNextPage && (
        <button
          type="button"
          className="btn"
          aria-disabled={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          {words('editor.more-versions')}
        </button>
      )}
    </Dialog>
  )
}

function About({ version: { number, kind, name, by, at, current } }: { readonly version: OverlayVersion }) {
  return (
    <div>
      <p>
        <span className="strong">{words('overlays.version', { version: number })}</span>{' '}
        {name !== null && <bdi>{name}</bdi>}{' '}
        {current && (
          <State shape="running" tone="run">
            {words('editor.on-pages')}
          </State>
        )}
      </p>
      <p className="small muted">
        {words(`editor.kind-${kind}`)}, <Ago at={at} />
        {by !== null && (
          <>
            {', '}
            <bdi>{by.preferredName}</bdi>
          </>
        )}
      </p>
    </div>
  )
}
