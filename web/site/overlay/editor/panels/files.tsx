import { useId, useState } from 'react'
import { address, request } from '../../../data/api.ts'
import { readNow, useRead } from '../../../data/queries.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { useEditing } from '../editing.ts'
import styles from './dialogs.module.css'
import { packageOf, saveAs } from './saving.ts'

/** The draft as a file with its media, out and in, and as a template for other overlays. */
export function Files({ close }: { readonly close: () => void }) {
  return (
    <Dialog title={words('editor.files')} close={close}>
      <Out />
      <In close={close} />
      <FromTemplate close={close} />
      <Template />
    </Dialog>
  )
}

function Out() {
  const { tournament, overlay } = useEditing()
  const [error, setError] = useState<Error | null>(null)
  const [isMaking, setMaking] = useState(false)
  const make = async () => {
    setMaking(true)
    try {
      const path = `/tournaments/${encodeURIComponent(tournament)}/overlays/${overlay.guid}/package`
      saveAs(`${overlay.name}.json`, JSON.stringify(await request(path)))
      setError(null)
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setMaking(false)
    }
  }
  return (
    <div className={styles.part}>
      <h3>{words('editor.package-out')}</h3>
      <p className="muted">{words('editor.package-out-what')}</p>
      <button type="button" className="btn" aria-disabled={isMaking} onClick={() => void make()}>
        {words('editor.download')}
      </button>
      {error !== null && <Refused error={error} />}
    </div>
  )
}

function In({ close }: { readonly close: () => void }) {
  const { tournament, overlay } = useEditing()
  const id = useId()
  const [hasRights, setRights] = useState(false)
  const take = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/package')
  const send = async (file: File) => {
    const params = { tournament, overlay: overlay.guid }
    const body = new Blob([file], { type: 'application/json' })
    if (await take.send({ params, query: hasRights ? { rightsConfirmed: true } : {}, body })) close()
  }
  return (
    <div className={styles.part}>
      <h3>{words('editor.package-in')}</h3>
      <p className="muted">{words('editor.package-in-what')}</p>
      <label className="choice">
        <input type="checkbox" checked={hasRights} onChange={({ target }) => setRights(target.checked)} />
        {words('editor.package-rights')}
      </label>
      <label htmlFor={id} className="btn" aria-disabled={take.isSending}>
        {words('editor.package-choose')}…
      </label>
      <input
        id={id}
        className="unseen"
        type="file"
        accept="application/json,.json"
        aria-disabled={take.isSending}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file !== undefined) void send(file)
        }}
      />
      {take.error !== null && <Refused error={take.error} />}
    </div>
  )
}

/** The draft becomes a copy of a template, in the way of a file without media. */
function FromTemplate({ close }: { readonly close: () => void }) {
  const { tournament, overlay } = useEditing()
  const id = useId()
  const templates = useRead(address('/overlay-templates', {})).data ?? []
  const [chosen, setChosen] = useState('')
  const [error, setError] = useState<Error | null>(null)
  const take = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/package')
  const send = async () => {
    try {
      const { document } = await readNow(address('/overlay-templates/{overlayTemplate}', { overlayTemplate: chosen }))
      setError(null)
      const body = new Blob([packageOf(document)], { type: 'application/json' })
      if (await take.send({ params: { tournament, overlay: overlay.guid }, body })) close()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  const refused = error ?? take.error
  return (
    <form
      className={styles.part}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <h3>{words('editor.template-in')}</h3>
      <p className="muted">{words('editor.template-in-what')}</p>
      <div className={styles.line}>
        <div className="field">
          <label htmlFor={id}>{words('editor.template-choose')}</label>
          <select id={id} className="in" required value={chosen} onChange={({ target }) => setChosen(target.value)}>
            <option value="" />
            {templates.map(({ key, guid, name }) => (
              <option key={key ?? guid} value={key ?? guid ?? ''}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="btn" aria-disabled={take.isSending}>
          {words('editor.template-take')}
        </button>
      </div>
      {refused !== null && <Refused error={refused} />}
    </form>
  )
}

function Template() {
  const { overlay } = useEditing()
  const [name, setName] = useState(overlay.name)
  const make = useWrite('POST /overlay-templates', (known) => known.renew('/overlay-templates'))
  return (
    <form
      className={styles.part}
      onSubmit={(event) => {
        event.preventDefault()
        void make.send({ params: {}, body: { name, overlay: overlay.guid } })
      }}
    >
      <h3>{words('editor.template')}</h3>
      <p className="muted">{words('editor.template-what')}</p>
      <div className={styles.line}>
        <label className="field">
          <span>{words('overlays.name')}</span>
          <input className="in" required maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <button type="submit" className="btn" aria-disabled={make.isSending}>
          {words('editor.template-keep')}
        </button>
      </div>
      <p role="status">{make.isDone && words('editor.template-kept')}</p>
      {make.error !== null && <Refused error={make.error} />}
    </form>
  )
}

function Refused({ error }: { readonly error: Error }) {
  return (
    <p className="notice notice-alert" role="alert">
      <bdi>{error.message}</bdi>
    </p>
  )
}
