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
  readonly send: () => void
}

export function Answer({ ask, chosen, choose, isSending, isAgain, send }: Props) {
  const name = useId()
  const { options, count } = ask
  const isMany = ask.key === 'lineup'
  const isReady = chosen.length === count
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
          {options.map(({ value, label, taken }) => (
            <label
              key={value}
              className={`${styles.option} ${taken === undefined ? '' : styles.taken} ${chosen.includes(value) ? styles.chosen : ''}`}
            >
              <input
                type={isMany ? 'checkbox' : 'radio'}
                name={name}
                value={value}
                checked={chosen.includes(value)}
                disabled={taken !== undefined}
                aria-disabled={isSending}
                onChange={() => isSending || toggle(value)}
              />
              <span>
                {label}
                {taken !== undefined && <span className={`small ${styles.why}`}> {taken}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div className={styles.confirm}>
        <button
          type="submit"
          className={`btn btn-primary ${styles.send}`}
          disabled={!isReady}
          aria-disabled={isSending}
        >
          {isSending
            ? words('own.sending')
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
