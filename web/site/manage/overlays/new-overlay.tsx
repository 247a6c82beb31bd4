import { useId, useState } from 'react'
import type { Overlay } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { OverlayTemplate } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import styles from './overlays.module.css'

/** Makes an overlay from a template, or as a copy of one that is there. */
export function NewOverlay() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-primary" onClick={() => setOpen(true)}>
        {words('overlays.new')}…
      </button>
      {isOpen && (
        <Dialog title={words('overlays.new-title')} close={() => setOpen(false)}>
          <FromTemplate close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

/** Makes one, with a name of its own. */
function useMaking(close: () => void) {
  const tournament = useTournamentId()
  return useWrite('POST /tournaments/{tournament}/overlays', (known) => {
    known.renew(`/tournaments/${tournament}/overlays`)
    known.renew('/overlay-templates')
    close()
  })
}

const keyOf = ({ key, guid }: OverlayTemplate) => key ?? guid ?? ''

function FromTemplate({ close }: { readonly close: () => void }) {
  const tournament = useTournamentId()
  const group = useId()
  const read = useRead(address('/overlay-templates', {}, { tournament }))
  const form = useForm({ key: null, saved: { name: '', template: '' } })
  const make = useMaking(close)
  const { name, template } = form.values
  return (
    <Form
      error={make.error}
      onSubmit={() => make.send({ params: { tournament }, body: { name, ...(template !== '' && { template }) } })}
    >
      <TextField form={form} name="name" label={words('overlays.name')} maxLength={60} isRequired />
      <fieldset>
        <legend className="strong">{words('overlays.from')}</legend>
        <Loaded of={read} rows={4}>
          {(templates) => (
            <ul className={`lines ${styles.templates}`}>
              {templates.map((each) => (
                <li key={keyOf(each)}>
                  <label className="choice">
                    <input
                      type="radio"
                      name={group}
                      checked={template === keyOf(each)}
                      onChange={() => form.set('template', keyOf(each))}
                    />
                    <span>
                      <bdi className="strong">{each.name}</bdi>{' '}
                      <span className="muted">
                        {words(`overlays.origin-${each.origin}`)},{' '}
                        {words('overlays.scenes', { count: each.scenes.length })}
                      </span>
                      <br />
                      <bdi className="small muted">{each.description}</bdi>
                    </span>
                  </label>
                </li>
              ))}
              <li>
                <label className="choice">
                  <input
                    type="radio"
                    name={group}
                    checked={template === ''}
                    onChange={() => form.set('template', '')}
                  />
                  <span>{words('overlays.blank')}</span>
                </label>
              </li>
            </ul>
          )}
        </Loaded>
      </fieldset>
      <Save isSending={make.isSending}>{words('overlays.make')}</Save>
    </Form>
  )
}

export function CopyOverlay({ overlay }: { readonly overlay: Overlay }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {words('overlays.copy')}…<span className="unseen"> {overlay.name}</span>
      </button>
      {isOpen && (
        <Dialog title={words('overlays.copy-title', { name: overlay.name })} close={() => setOpen(false)}>
          <Copying overlay={overlay} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

function Copying({ overlay: { guid, name }, close }: { readonly overlay: Overlay; readonly close: () => void }) {
  const tournament = useTournamentId()
  const form = useForm({ key: null, saved: { name: words('overlays.copy-name', { name }) } })
  const make = useMaking(close)
  return (
    <Form
      error={make.error}
      onSubmit={() => make.send({ params: { tournament }, body: { name: form.values.name, template: guid } })}
    >
      <p>{words('overlays.copy-what')}</p>
      <TextField form={form} name="name" label={words('overlays.name')} maxLength={60} isRequired />
      <Save isSending={make.isSending}>{words('overlays.copy')}</Save>
    </Form>
  )
}
