import { type ReactNode, useState } from 'react'
import { words } from '../data/words.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form/form.tsx'

/** An act that cannot be taken back, or that takes much with it: it says what will happen, and is confirmed. (W19) */
export function Danger({
  label,
  of,
  title,
  confirm = label,
  typed,
  isPlain = false,
  isReady = true,
  error,
  isSending,
  act,
  children,
}: {
  /** On the button that asks. */
  readonly label: string
  /** What it is done to, for those who hear the button among others. */
  readonly of?: string
  readonly title: string
  /** On the button that acts, where it is not the label. */
  readonly confirm?: string
  /** The name that is typed to confirm; without it the act can be taken back. */
  readonly typed?: string
  /** It takes nothing with it, and is asked about because it cannot be taken back. */
  readonly isPlain?: boolean
  /** Whether everything that it needs has been chosen. */
  readonly isReady?: boolean
  readonly error: Error | null
  readonly isSending: boolean
  /** Resolves to true when it was done. */
  readonly act: () => Promise<boolean>
  /** What will happen. */
  readonly children: ReactNode
}) {
  const [isAsking, setAsking] = useState(false)
  const [text, setText] = useState('')
  const close = () => {
    setAsking(false)
    setText('')
  }
  return (
    <>
      <button
        type="button"
        className={isPlain ? 'btn' : 'btn btn-danger'}
        aria-disabled={isSending}
        onClick={() => setAsking(true)}
      >
        {label}…{of !== undefined && <span className="unseen"> {of}</span>}
      </button>
      {isAsking && (
        <Dialog title={title} close={close}>
          <Form error={error} onSubmit={async () => (await act()) && close()}>
            {children}
            {typed !== undefined && (
              <label className="field">
                <span>{words('danger.type', { name: typed })}</span>
                <input
                  className="in"
                  value={text}
                  onChange={({ target }) => setText(target.value)}
                  autoComplete="off"
                />
              </label>
            )}
            <div className="btns">
              <button
                type="submit"
                className={isPlain ? 'btn btn-primary' : 'btn btn-danger'}
                aria-disabled={isSending || !isReady || (typed !== undefined && text.trim() !== typed)}
              >
                {confirm}
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
