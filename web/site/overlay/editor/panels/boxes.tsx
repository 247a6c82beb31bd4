import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { words } from '../../../data/words.ts'
import { rounded } from '../geometry.ts'
import styles from './properties.module.css'
import { useRefusal } from './refusal.tsx'

/** Fields of the properties. What is typed counts with Enter or when the field is left; Escape brings the old value back. */

interface BoxProps<Value> {
  readonly label: string
  readonly value: Value
  readonly disabled: boolean
  /** @returns whether it was taken */
  readonly commit: (value: Value, joins?: boolean) => boolean
}

/** The text of a field while it is typed. */
function useTyped(value: string, commit: (text: string) => boolean | undefined) {
  const [typed, setTyped] = useState<string | null>(null)
  const finish = () => {
    if (typed !== null && typed !== value) commit(typed)
    setTyped(null)
  }
  return {
    text: typed ?? value,
    setTyped,
    finish,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) finish()
      else if (event.key === 'Escape') setTyped(null)
      else return
      event.preventDefault()
    },
  }
}

interface NumberProps extends BoxProps<number | undefined> {
  /** What counts where there is no value. */
  readonly otherwise?: number
  /** What the field shows for 1, such as 100 for a percentage. */
  readonly times?: number
  readonly unit?: string
}

export function NumberBox({ label, value, otherwise, times = 1, unit, disabled, commit: given }: NumberProps) {
  const id = useId()
  const { commit, field, refusal } = useRefusal(given)
  const shown = value ?? otherwise
  const take = (text: string): boolean | undefined => {
    const number = Number(text.replace(',', '.'))
    return text.trim() === '' || !Number.isFinite(number) ? undefined : commit(number / times)
  }
  const { text, setTyped, finish, onKeyDown } = useTyped(
    shown === undefined ? '' : String(rounded(shown * times)),
    take,
  )
  return (
    <div className={styles.number}>
      <label htmlFor={id}>{label}</label>
      <input
        {...field}
        id={id}
        className="in num"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        disabled={disabled}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
          if (step === 0) return onKeyDown(event)
          event.preventDefault()
          setTyped(null)
          const now = Number(text.replace(',', '.')) || 0
          commit(rounded(now + step * (event.shiftKey ? 10 : 1)) / times, true)
        }}
      />
      {unit !== undefined && <span aria-hidden="true">{unit}</span>}
      {refusal}
    </div>
  )
}

export function TextBox({
  label,
  value,
  disabled,
  commit: given,
  isLong = false,
  isExact = isLong,
  maxLength,
}: BoxProps<string> & {
  readonly isLong?: boolean
  /** Whether spaces at the ends count. */
  readonly isExact?: boolean
  readonly maxLength?: number
}) {
  const id = useId()
  const { commit, field, refusal } = useRefusal(given)
  const { text, setTyped, finish, onKeyDown } = useTyped(value, (typed) => commit(isExact ? typed : typed.trim()))
  const common = { ...field, id, className: 'in', value: text, disabled, maxLength, onBlur: finish, onKeyDown }
  return (
    <div className={styles.wide}>
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea {...common} rows={2} onChange={({ target }) => setTyped(target.value)} />
      ) : (
        <input {...common} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
      )}
      {refusal}
    </div>
  )
}

export function ChoiceBox<Value extends string | number>({
  label,
  value,
  disabled,
  commit: given,
  choices,
  none,
}: BoxProps<Value | undefined> & {
  readonly choices: readonly (readonly [value: Value, text: string])[]
  /** What no choice is called, where there may be none. */
  readonly none?: string
}) {
  const id = useId()
  const { commit, field, refusal } = useRefusal(given)
  return (
    <div className={styles.wide}>
      <label htmlFor={id}>{label}</label>
      <select
        {...field}
        id={id}
        className="in"
        value={value ?? ''}
        disabled={disabled}
        onChange={({ target }) => commit(choices.find(([each]) => String(each) === target.value)?.[0])}
      >
        {(none !== undefined || value === undefined) && <option value="">{none ?? words('editor.usual')}</option>}
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {refusal}
    </div>
  )
}

export function CheckBox({ label, value, disabled, commit: given }: BoxProps<boolean>) {
  const { commit, field, refusal } = useRefusal(given)
  return (
    <>
      <label className={`choice ${styles.check}`}>
        <input
          {...field}
          type="checkbox"
          checked={value}
          disabled={disabled}
          onChange={({ target }) => commit(target.checked)}
        />
        {label}
      </label>
      {refusal}
    </>
  )
}

const hex = /^#[0-9a-f]{6}/i
const short = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i

/** A colour as `#rrggbb`, with two more digits for how dense it is, or a variable of the document by its name. */
export function ColorBox({
  label,
  value,
  disabled,
  commit: given,
  variables,
}: BoxProps<string | undefined> & { readonly variables: Readonly<Record<string, string | number | boolean>> }) {
  const id = useId()
  const { commit, field, refusal } = useRefusal(given)
  const latest = useRef(commit)
  latest.current = commit
  const shownNow = value === undefined ? '' : value
  const [picked, setPicked] = useState<string | null>(null)
  const { text, setTyped, finish, onKeyDown } = useTyped(shownNow, (typed) => commit(colorIn(typed, variables)))
  // The picker of the browser tells of each colour on the way: the last one counts.
  useEffect(() => {
    if (picked === null) return
    const timer = setTimeout(() => {
      setPicked(null)
      latest.current(picked + (hex.test(shownNow) ? shownNow.slice(7) : ''))
    }, 300)
    return () => clearTimeout(timer)
  }, [picked, shownNow])
  const named = /^var\((\w+)\)$/.exec(shownNow)?.[1]
  const color = named === undefined ? shownNow : String(variables[named] ?? '')
  const names = Object.entries(variables).filter(([, each]) => typeof each === 'string' && hex.test(each))
  return (
    <div className={styles.wide}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.color}>
        <input
          type="color"
          aria-label={words('editor.pick-color', { label })}
          data-none={value === undefined || undefined}
          value={picked ?? (hex.test(color) ? color.slice(0, 7).toLowerCase() : '#000000')}
          disabled={disabled}
          onChange={({ target }) => setPicked(target.value)}
        />
        <input
          {...field}
          id={id}
          className="in num"
          autoComplete="off"
          spellCheck={false}
          placeholder={words('editor.usual')}
          list={`${id}v`}
          value={text}
          disabled={disabled}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={finish}
          onKeyDown={onKeyDown}
        />
        <datalist id={`${id}v`}>
          {names.map(([name, each]) => (
            <option key={name} value={`var(${name})`}>
              {String(each)}
            </option>
          ))}
        </datalist>
      </span>
      {refusal}
    </div>
  )
}

/** What may be typed for a colour: also without its sign, as three digits, or the name of a variable. */
function colorIn(typed: string, variables: Readonly<Record<string, unknown>>): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (Object.hasOwn(variables, text)) return `var(${text})`
  const three = short.exec(text)
  if (three !== null)
    return `#${three
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`
  return /^[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text) ? `#${text}` : text
}

export function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
