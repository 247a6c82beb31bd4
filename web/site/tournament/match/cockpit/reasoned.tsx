import { type ReactNode, useState } from 'react'
import { words } from '../../../data/words.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form/form.tsx'
import type { Ops } from './ops.ts'

/** A ruling: it needs a reason, which everybody reads in the log. */

interface Props {
  readonly label: string
  readonly title: ReactNode
  /** A reason to begin with. */
  readonly first?: string
  readonly isDanger?: boolean
  readonly isReady?: boolean
  readonly ops: Ops
  /** Resolves to true when it was done. */
  readonly act: (reason: string) => Promise<boolean>
  readonly children?: ReactNode
}

export function Reasoned({ label, title, first = '', isDanger = false, isReady = true, ops, act, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState(first)
  const close = () => setOpen(false)
  const look = isDanger ? 'btn btn-danger' : 'btn'
  return (
    <>
      <button type="button" className={look} onClick={() => setOpen(true)}>
        {label}…
      </button>
      {isOpen && (
        <Dialog title={title} close={close}>
          <Form
            error={ops.error}
            onSubmit={async () => {
              if (!(await act(reason.trim()))) return
              setReason(first)
              close()
            }}
          >
            {children}
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
            <div className="btns">
              <button
                type="submit"
                className={isDanger ? 'btn btn-danger' : 'btn btn-primary'}
                aria-disabled={ops.isSending || !isReady || reason.trim() === ''}
              >
                {label}
              </button>
              <button type="button" className="btn" onClick={close}>
                {words('danger.cancel')}
              </button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  )
}
