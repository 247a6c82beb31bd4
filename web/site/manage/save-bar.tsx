import { words } from '../data/words.ts'
import type { FormState } from '../parts/form/use-form.ts'
import styles from './save-bar.module.css'

/** The bar under a long form: what is not saved, what has to be chosen first, and the buttons. */
interface Props<Values extends object> {
  readonly form: FormState<Values>
  readonly isSending: boolean
  readonly isDone: boolean
  /** What is not saved, where it is not a number of values. */
  readonly changed?: string
  /** What has to be chosen first. */
  readonly conflict?: string
  /** On the button. */
  readonly save?: string
}

export function SaveBar<Values extends object>({ form, isSending, isDone, changed, conflict, save }: Props<Values>) {
  const count = Object.keys(form.changed).length
  const conflicts = Object.keys(form.conflicts).length
  return (
    <div className={styles.save}>
      <span role="status" className={conflicts > 0 ? styles.conflict : 'muted'}>
        {isSending
          ? words('form.saving')
          : conflicts > 0
            ? (conflict ?? words('settings.conflicts', { count: conflicts }))
            : count > 0
              ? (changed ?? words('settings.changed', { count }))
              : isDone
                ? words('form.saved')
                : words('settings.unchanged')}
      </span>
      <div className="btns">
        <button type="button" className="btn" aria-disabled={count === 0 || isSending} onClick={() => form.take()}>
          {words('settings.discard')}
        </button>
        <button type="submit" className="btn btn-primary" aria-disabled={count === 0 || conflicts > 0 || isSending}>
          {save ?? words('form.save')}
        </button>
      </div>
    </div>
  )
}
