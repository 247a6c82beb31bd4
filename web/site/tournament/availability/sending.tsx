import { words } from '../../data/words.ts'
import { Save } from '../../parts/form/form.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import type { Answering } from './answering.ts'
import styles from './availability.module.css'
import type { Answers } from './slots.ts'

/** The button that sends answers, and what becomes of them while the service is away. (W10, W11) */
export function Sending({ answering, isChanged }: { readonly answering: Answering; readonly isChanged: boolean }) {
  const { waiting, isSending, isSaved } = answering
  return (
    <div className={styles.sending}>
      <Save isSending={isSending} isSaved={isSaved && !isChanged} isDisabled={!isChanged}>
        {words('availability.save')}
      </Save>
      <div role="status">
        {waiting.isWaiting && (
          <div className="notice notice-warning">
            <p className="push">{words('form.waits')}</p>
            <button type="button" className="btn" onClick={waiting.stop}>
              {words('form.do-not-send')}
            </button>
          </div>
        )}
        {waiting.isLate && !isChanged && <p className="notice">{words('form.sent-late')}</p>}
      </div>
    </div>
  )
}

/** What was not sent before the sheet closed is not lost, and not taken for sent. */
export function Late({ isClosed, form }: { readonly isClosed: boolean; readonly form: FormState<Answers> }) {
  if (!isClosed || !form.isChanged) return null
  return (
    <div className="notice notice-alert" role="status">
      <p className="push">{words('availability.too-late')}</p>
      <button type="button" className="btn" onClick={() => form.take()}>
        {words('availability.show-saved')}
      </button>
    </div>
  )
}
