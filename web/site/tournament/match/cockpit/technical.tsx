import { useState } from 'react'
import { words } from '../../../data/words.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form, Save } from '../../../parts/form/form.tsx'
import type { Table } from './ops.ts'

/** Has seats play a map again, because something failed that was not theirs. (match-flows: Replays, technical replays, penalties) */
export function Technical({ session, ops, game }: Table & { readonly game: number }) {
  const [isOpen, setOpen] = useState(false)
  const [seats, setSeats] = useState<readonly number[]>(session.seats.map(({ seat }) => seat))
  const [reason, setReason] = useState('')
  const close = () => setOpen(false)
  return (
    <div className="btns">
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {words('cockpit.technical')}…
      </button>
      {isOpen && (
        <Dialog title={words('cockpit.technical-title', { game })} close={close}>
          <Form
            error={ops.error}
            onSubmit={async () => {
              if (await ops.send('claim', { kind: 'technical', seats, reason: reason.trim() })) close()
            }}
          >
            <fieldset>
              <legend className="strong">{words('cockpit.who-again')}</legend>
              {session.seats.map(({ seat, name }) => (
                <label key={seat} className="choice">
                  <input
                    type="checkbox"
                    checked={seats.includes(seat)}
                    onChange={() =>
                      setSeats(
                        seats.includes(seat) ? seats.filter((each) => each !== seat) : [...seats, seat].toSorted(),
                      )
                    }
                  />
                  <bdi>{name}</bdi>
                </label>
              ))}
            </fieldset>
            <label className="field">
              <span>{words('cockpit.reason')}</span>
              <input
                className="in"
                required
                maxLength={500}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            </label>
            <Save isSending={ops.isSending} isDisabled={seats.length === 0}>
              {words('cockpit.technical')}
            </Save>
          </Form>
        </Dialog>
      )}
    </div>
  )
}
