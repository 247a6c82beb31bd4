import { useEffect } from 'react'
import { words } from '../../../data/words.ts'
import { say } from '../../../parts/announcer.tsx'
import { Failure } from '../../../parts/loaded.tsx'
import { useEditing } from '../editing.ts'
import styles from './messages.module.css'
import { reasonOf } from './refusal.tsx'
import { packageOf, saveAs } from './saving.ts'

/** What the editor has to say: a step that was taken back, work that could not be stored, and who reads only. */
export function Messages() {
  const { state, draft, overlay, filling, unread, stored } = useEditing()
  const { fault, lost, ended, readOnly, isFollowed } = state
  const told = fault === null ? null : words('editor.taken-back', { why: reasonOf(fault) })
  useEffect(() => {
    if (told !== null) say(told)
  }, [told])
  return (
    <div className={styles.messages}>
      {told !== null && (
        <div className="notice notice-warning">
          <p>{told}</p>
          <button type="button" className="btn" onClick={() => draft.forgetFault()}>
            {words('editor.fine')}
          </button>
        </div>
      )}
      {filling === null && unread !== null && <Failure {...unread} />}
      {ended === null && !isFollowed && (
        <div className="notice notice-warning" role="status">
          <p>
            {words('editor.unconnected')} {words('editor.as-stored')}
          </p>
          <button type="button" className="btn" aria-disabled={!stored.isLate} onClick={stored.again}>
            {words(stored.isLate ? 'state.again' : 'editor.connecting')}
          </button>
        </div>
      )}
      {lost !== null && (
        <div className="notice notice-alert" role="alert">
          <p>{words('editor.lost')}</p>
          <button type="button" className="btn" onClick={() => saveAs(`${overlay.name}.json`, packageOf(lost))}>
            {words('editor.lost-save')}
          </button>
          <button type="button" className="btn" onClick={() => draft.forgetLost()}>
            {words('editor.lost-forget')}
          </button>
        </div>
      )}
      {ended !== null ? (
        <p className="notice notice-alert" role="alert">
          {words('editor.ended')}
        </p>
      ) : (
        isFollowed && readOnly && <p className="notice">{words('editor.reader')}</p>
      )}
    </div>
  )
}
