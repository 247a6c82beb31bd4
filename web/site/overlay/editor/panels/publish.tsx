import { useState } from 'react'
import { ApiError } from '../../../data/api.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { say } from '../../../parts/announcer.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useEditing } from '../editing.ts'
import styles from './top-bar.module.css'

/** Has the pages show the draft. What is published is what was seen here: after an edit of somebody else it is refused. */
export function Publish({ isDirty }: { readonly isDirty: boolean }) {
  const { tournament, overlay, state } = useEditing()
  const [isAsking, setAsking] = useState(false)
  const publish = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/publish', (known) => {
    known.renew(`/tournaments/${tournament}/overlays`)
    say(words('editor.is-out'))
  })
  const isWaiting = state.unsent > 0 || publish.isSending
  const { error } = publish
  const missing = error instanceof ApiError ? ((error.data.missing as readonly string[] | undefined) ?? []).length : 0
  const send = async () => {
    const params = { tournament, overlay: overlay.guid }
    if (await publish.send({ params, body: { revision: state.revision } })) setAsking(false)
  }
  return (
    <>
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={!isDirty && overlay.published !== null}
        onClick={() => setAsking(true)}
      >
        {words('overlays.publish')}
      </button>
      {isAsking && (
        <Dialog title={words('overlays.publish-title', { name: overlay.name })} close={() => setAsking(false)}>
          <p>{words(overlay.published === null ? 'overlays.publish-first' : 'overlays.publish-what')}</p>
          {error !== null && (
            <p className="notice notice-alert" role="alert">
              {error instanceof ApiError && error.code === 'overlay.stale'
                ? words('editor.stale')
                : missing > 0
                  ? words('editor.missing', { count: missing })
                  : error.message}
            </p>
          )}
          <div className={`btns ${styles.acts}`}>
            <button type="button" className="btn btn-primary" aria-disabled={isWaiting} onClick={() => void send()}>
              {words('editor.publish-now')}
            </button>
            <button type="button" className="btn" onClick={() => setAsking(false)}>
              {words('danger.cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
