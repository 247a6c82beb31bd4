import { useEffect, useMemo, useState } from 'react'

/**
 * The values of a form. What is typed survives a reload (in the tab alone), and what changes meanwhile in the record is
 * followed, until the reader has typed something else there. (W10)
 */

export interface Typing<Values extends object> {
  readonly values: Values
  /** The values that the reader has changed, as a body of a PATCH takes them. */
  readonly changed: Partial<Values>
  readonly isChanged: boolean
  /** What somebody else has changed meanwhile, where the reader has typed something else: their values. */
  readonly conflicts: Partial<Values>
}

export interface FormState<Values extends object> extends Typing<Values> {
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void
  /** Sets several values. */
  change(values: Partial<Values>): void
  /** What was typed over a newer record. */
  over(saved: Values): Typing<Values>
  /** These values are saved; what was typed since stays. */
  settle(values: Partial<Values>): void
  /** Keeps what the reader has typed, against what somebody else has saved. */
  keep(name: keyof Values): void
  /** Takes what is saved: of one value, or of all. */
  take(name?: keyof Values): void
}

interface Options<Values> {
  /** Names the form for the tab; null for forms with secrets, which are kept nowhere. */
  readonly key: string | null
  /** The values of the record. */
  readonly saved: Values
}

interface Typed<Values> {
  readonly values: Partial<Values>
  /** What was saved as the reader began to type over it. */
  readonly before: Partial<Values>
}

const nothing = { values: {}, before: {} }

export function useForm<Values extends object>({ key, saved }: Options<Values>): FormState<Values> {
  const [typed, setTyped] = useState<Typed<Values>>(() => kept(key) ?? nothing)
  useEffect(() => keep(key, typed), [key, typed])
  return useMemo(() => {
    const change = (next: Partial<Values>) =>
      setTyped(({ values, before }) => {
        const names = Object.keys(next) as (keyof Values)[]
        const fresh = names.filter((name) => !(name in before))
        return { values: { ...values, ...next }, before: { ...before, ...pick(saved, fresh) } }
      })
    return {
      ...over(typed, saved),
      set: (name, value) => change({ [name]: value } as unknown as Partial<Values>),
      change,
      over: (newer) => over(typed, newer),
      settle: (sent) =>
        setTyped(({ values, before }) => {
          const left = (Object.keys(values) as (keyof Values)[]).filter((name) => !isSame(values[name], sent[name]))
          const next = { values: pick(values, left), before: { ...pick(before, left), ...pick(sent, left) } }
          keep(key, next)
          return next
        }),
      keep: (name) => setTyped(({ values, before }) => ({ values, before: { ...before, [name]: saved[name] } })),
      take: (name) => {
        // At once, since the form may be gone before it is drawn again.
        if (name === undefined) keep(key, nothing)
        setTyped(({ values, before }) =>
          name === undefined ? nothing : { values: without(values, name), before: without(before, name) },
        )
      },
    }
  }, [key, typed, saved])
}

/** What was typed, over a record. Typing what was there before changes nothing. */
function over<Values extends object>(typed: Typed<Values>, saved: Values): Typing<Values> {
  const open = (Object.keys(typed.values) as (keyof Values)[]).filter(
    (name) => !isSame(typed.values[name], saved[name]) && !isSame(typed.values[name], typed.before[name]),
  )
  const changed = pick(typed.values, open)
  return {
    values: { ...saved, ...changed },
    changed,
    isChanged: open.length > 0,
    conflicts: pick(
      saved,
      open.filter((name) => !isSame(typed.before[name], saved[name])),
    ),
  }
}

const pick = <Values extends object>(from: Partial<Values>, names: readonly (keyof Values)[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Values>

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function without<Values extends object>(values: Partial<Values>, name: keyof Values): Partial<Values> {
  const { [name]: _gone, ...others } = values
  return others as Partial<Values>
}

const keyOf = (key: string) => `downbeat.form.${key}`

function kept<Values>(key: string | null): Typed<Values> | null {
  const text = key === null ? null : sessionStorage.getItem(keyOf(key))
  return text === null ? null : (JSON.parse(text) as Typed<Values>)
}

function keep(key: string | null, typed: Typed<object>): void {
  if (key === null) return
  if (Object.keys(typed.values).length === 0) sessionStorage.removeItem(keyOf(key))
  else sessionStorage.setItem(keyOf(key), JSON.stringify(typed))
}
