import { type ReactNode, useEffect, useId, useRef } from 'react'
import { words } from '../data/words.ts'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'

/** A question over the page: it has the focus, Escape closes it, and the focus returns to where it was. */
export function Dialog({
  title,
  close,
  children,
}: {
  readonly title: ReactNode
  readonly close: () => void
  readonly children: ReactNode
}) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    // Browsers give the focus back where a dialog closes, but not where it is removed.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      // A form in it is its own, also where the dialog is opened from within another form.
      onSubmit={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="btn btn-quiet btn-icon" aria-label={words('dialog.close')} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="stack">{children}</div>
    </dialog>
  )
}
