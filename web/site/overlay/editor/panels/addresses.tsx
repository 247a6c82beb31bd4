import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { CopyButton } from '../../../parts/copy.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { useEditing } from '../editing.ts'
import styles from './dialogs.module.css'
import { SourceDrawing } from './source-drawing.tsx'

/** An address for a broadcasting program, and how it gets there. Its token is shown once. (OV16) */
export function Addresses({ close }: { readonly close: () => void }) {
  const { tournament, overlay, document: scenes } = useEditing()
  const [label, setLabel] = useState('')
  // In memory alone: it is gone with the dialog.
  const [made, setMade] = useState<string | null>(null)
  const make = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/tokens', (known, token) => {
    setMade(token.url)
    known.renew(`/tournaments/${tournament}/overlays/${overlay.guid}/tokens`)
  })
  const { width, height } = scenes.canvas
  return (
    <Dialog title={words('editor.addresses')} close={close}>
      {overlay.published === null && <p className="notice notice-warning">{words('editor.not-out')}</p>}
      {overlay.access === 'public' && (
        <p className={styles.line}>
          <span>{words('overlays.public')}</span>
          <CopyButton text={`${overlay.urls.live}#${overlay.guid}`} label={words('overlays.copy-address')} />
        </p>
      )}
      {made === null ? (
        <form
          className={styles.line}
          onSubmit={(event) => {
            event.preventDefault()
            void make.send({ params: { tournament, overlay: overlay.guid }, body: { label, preview: false } })
          }}
        >
          <label className="field">
            <span>{words('overlays.token-for')}</span>
            <input
              className="in"
              required
              maxLength={40}
              placeholder={words('overlays.token-example')}
              value={label}
              onChange={({ target }) => setLabel(target.value)}
            />
          </label>
          <button type="submit" className="btn btn-primary" aria-disabled={make.isSending}>
            {words('overlays.make-address')}
          </button>
        </form>
      ) : (
        <div className="notice notice-warning" role="status">
          <p>{words('overlays.once', { label })}</p>
          <Secret name={label} text={made} />
        </div>
      )}
      {make.error !== null && (
        <p className="notice notice-alert" role="alert">
          <bdi>{make.error.message}</bdi>
        </p>
      )}
      <div className={styles.part}>
        <h3>{words('editor.paste')}</h3>
        <ol className={styles.steps}>
          <li>{words('editor.paste-source')}</li>
          <li>{words('editor.paste-address', { width, height })}</li>
          <li>{words('editor.paste-css')}</li>
        </ol>
        <SourceDrawing width={width} height={height} />
      </div>
      <p>
        <Link to="/manage/$tournament/overlays" params={{ tournament }}>
          {words('editor.all-addresses')}
        </Link>
      </p>
    </Dialog>
  )
}
