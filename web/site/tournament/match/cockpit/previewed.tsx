import { type ReactNode, useRef, useState } from 'react'
import type { Correction } from '../../../../../client/generated.ts'
import type { Sent, WritePath } from '../../../data/api.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Affected } from '../../../parts/affected.tsx'
import { doneAsSeen } from '../../../parts/as-seen.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form/form.tsx'

/** A correction in two steps: the first shows what would happen, the second does exactly that. (W19) */

interface Props {
  readonly title: ReactNode
  readonly error: Error | null
  readonly isSending: boolean
  /** What is typed; a preview of something else is none. */
  readonly of: unknown
  /** Resolves to the preview, to `[]` where no other match is touched, and to null if it was refused. */
  readonly look: () => Promise<Preview | null>
  /** Resolves to true when it was done. */
  readonly apply: (preview: Preview) => Promise<boolean>
  /** It touches no other match, and is done at once: the match is not over. */
  readonly isDirect?: boolean
  readonly close: () => void
  readonly children: ReactNode
}

export interface Preview {
  readonly affected: Correction['affected']
  /** Of the bracket; undefined where nothing of it changes. */
  readonly revision?: number
}

/** Asks what a correction would do. */
export function useLook<At extends WritePath>(at: At) {
  const found = useRef<Preview | null>(null)
  const { send, isSending, error } = useWrite(at, (_known, reply) => {
    const answer = reply as object
    found.current = 'affected' in answer ? (answer as Correction) : { affected: [] }
  })
  const look = async (sent: Sent<At>): Promise<Preview | null> => ((await send(sent)) ? found.current : null)
  return { look, isSending, error }
}

const nothing: Preview = { affected: [] }

export function Previewed({ title, error, isSending, of, look, apply, isDirect = false, close, children }: Props) {
  const text = JSON.stringify(of)
  const [seen, setSeen] = useState<{ readonly text: string; readonly preview: Preview } | null>(null)
  const preview = seen?.text === text ? seen.preview : null
  const submit = async () => {
    if (isDirect) {
      if (await apply(nothing)) close()
      return
    }
    if (preview === null) {
      const found = await look()
      if (found !== null) setSeen({ text, preview: found })
      return
    }
    const left = await doneAsSeen(preview, apply, look)
    if (left === null) close()
    else setSeen(left === undefined ? null : { text, preview: left })
  }
  return (
    <Dialog title={title} close={close}>
      <Form error={error} onSubmit={submit}>
        {children}
        {preview !== null && <Affected of={preview.affected} />}
        <div className="btns">
          <button type="submit" className="btn btn-primary" aria-disabled={isSending}>
            {words(preview === null && !isDirect ? 'withdraw.show' : 'cockpit.apply')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}

interface ReasonProps {
  readonly value: string
  readonly set: (text: string) => void
  /** Only the staff read it. */
  readonly isOfStaff?: boolean
}

export function ReasonField({ value, set, isOfStaff = false }: ReasonProps) {
  return (
    <label className="field">
      <span>{words(isOfStaff ? 'cockpit.reason-of-staff' : 'cockpit.reason')}</span>
      <input className="in" required maxLength={500} value={value} onChange={({ target }) => set(target.value)} />
    </label>
  )
}
