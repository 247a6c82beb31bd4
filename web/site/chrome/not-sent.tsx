import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { signOut } from '../data/queries.ts'
import { discardAll } from '../data/reports/sender.ts'
import { words } from '../data/words.ts'
import { Dialog } from '../parts/dialog.tsx'
import { StateIcon } from '../parts/icon.tsx'
import { areHeld, useReports } from '../parts/reports/use-reports.ts'
import styles from './who.module.css'

/** How many reports of the reader are not sent, on every page; nothing where there are none. (W12) */
export function NotSent() {
  const { reports } = useReports()
  if (!areHeld(reports)) return null
  return (
    <Link to="/offline" className={styles.unsent} aria-label={words('reports.count', { count: reports.length })}>
      <StateIcon name="problem" />
      <span className={styles.long}>{words('reports.count', { count: reports.length })}</span>
      <span className={styles.short}>{reports.length}</span>
    </Link>
  )
}

/** Signs out; where reports are not sent, the reader says what becomes of them. */
export function SignOut({ close }: { readonly close: () => void }) {
  const { reports } = useReports()
  const [isBusy, setBusy] = useState(false)
  const leave = async (first?: () => Promise<void>) => {
    setBusy(true)
    await first?.()
    await signOut()
    close()
  }
  // Not within the bar on top, which is a landmark.
  return createPortal(
    <Dialog title={words('reports.leave', { count: reports.length })} close={close}>
      <p>{words('reports.leave-text')}</p>
      <div className="btns">
        <button type="button" className="btn btn-primary" onClick={close}>
          {words('reports.stay')}
        </button>
        <button type="button" className="btn" aria-disabled={isBusy} onClick={() => void leave()}>
          {words('reports.leave-keep')}
        </button>
        <button type="button" className="btn btn-danger" aria-disabled={isBusy} onClick={() => void leave(discardAll)}>
          {words('reports.leave-discard')}
        </button>
      </div>
    </Dialog>,
    document.body,
  )
}
