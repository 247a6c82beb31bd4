import { useId } from 'react'
import { words } from '../../../data/words.ts'
import type { Ask } from './asks.tsx'
import styles from './own.module.css'

/** The answer to what is asked: chosen first, then sent; by keys like every other form. */

interface Props {
  readonly ask: Ask
  readonly chosen: readonly string[]
  readonly choose: (values: readonly string[]) => void
  readonly isSending: boolean
  /** An attempt was not sent. */
  readonly isAgain: boolean
  /** Nothing can be sent until a referee goes on; what is chosen stays. */
  readonly isPaused: boolean
  readonly send: () => void
}

export function Answer({ ask, chosen, choose, isSending, isAgain, isPaused, send }: Props) {
  const name = useId()
  const { count } = ask
  const options = ask.options.filter(({ taken }) => taken === undefined)
  const others = ask.options.filter(({ taken }) => taken !== undefined)
  const isMany = ask.key === 'lineup' && count > 1
  const isReady = chosen.length === count && !isPaused
  const text = options
    .filter(({ value }) => chosen.includes(value))
    .map((option) => option.text)
    .join(', ')
  const toggle = (value: string) =>
    choose(!isMany ? [value] : chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  return (
    <form
      className={styles.answer}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isSending) send()
      }}
    >
      {options.length > 0 && (
        <fieldset className={`${styles.options} ${ask.key.includes('choose') || options.length < 5 ? styles.few : ''}`}>
          <legend className={ask.hint === undefined ? 'unseen' : 'muted'}>{ask.hint ?? ask.title}</legend>
          {options.map(({ value, label }) => (
            <label key={value} className={`${styles.option} ${chosen.includes(value) ? styles.chosen : ''}`}>
              <input
                type={isMany ? 'checkbox' : 'radio'}
                name={name}
                value={value}
                checked={chosen.includes(value)}
                aria-disabled={isSending}
                onChange={() => isSending || toggle(value)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      )}
      {others.length > 0 && <Others of={others} isMap={ask.isMap === true} />}
      <div className={styles.confirm}>
        <button type="submit" className={`btn btn-primary ${styles.send}`} aria-disabled={isSending || !isReady}>
          {isSending
            ? words('own.sending')
            : isPaused
              ? words('turn.paused')
              : !isReady
                ? words(isMany ? 'own.choose-players' : 'own.choose-one', { count, chosen: chosen.length })
                : isAgain
                  ? words('own.again', { what: ask.say(text) })
                  : ask.say(text)}
        </button>
        <span role="status" className="unseen">
          {isSending && words('own.sending')}
        </span>
      </div>
    </form>
  )
}

/** What cannot be chosen, and why: out of the way, since there may be more of it than of the rest. */
function Others({ of, isMap }: { readonly of: Ask['options']; readonly isMap: boolean }) {
  return (
    <details className={styles.others} open={!isMap}>
      <summary>{words(isMap ? 'own.others-maps' : 'own.others', { count: of.length })}</summary>
      <ul>
        {of.map(({ value, label, taken }) => (
          <li key={value} className={styles.taken}>
            {label} <span className="small">{taken}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
