import { useEffect, useMemo, useState } from 'react'

/**
 * The values of a form. What is typed survives a reload (in the tab alone), and what changes meanwhile in the record is
 * followed, until the reader has typed something else there. (W10)
 */

export interface FormState<Values extends object> {
  readonly values: Values
  /** The values that the reader has changed, as a body of a PATCH takes them. */
  readonly changed: Partial<Values>
  readonly isChanged: boolean
  /** What somebody else has changed meanwhile, where the reader has typed something else: their values. */
  readonly conflicts: Partial<Values>
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void
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
    const names = Object.keys(typed.values) as (keyof Values)[]
    const open = names.filter((name) => !isSame(typed.values[name], saved[name]))
    const pick = (from: Partial<Values>, chosen: readonly (keyof Values)[]) =>
      Object.fromEntries(chosen.map((name) => [name, from[name]])) as Partial<Values>
    return {
      values: { ...saved, ...typed.values },
      changed: pick(typed.values, open),
      isChanged: open.length > 0,
      conflicts: pick(
        saved,
        open.filter((name) => !isSame(typed.before[name], saved[name])),
      ),
      set: (name, value) =>
        setTyped(({ values, before }) => ({
          values: { ...values, [name]: value },
          before: name in before ? before : { ...before, [name]: saved[name] },
        })),
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
