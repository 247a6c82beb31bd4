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
  keep(name: keyof Values, member?: string): void
  /** Takes what is saved: of one value, of a member of it, or of all. */
  take(name?: keyof Values, member?: string): void
}

interface Options<Values> {
  /** Names the form for the tab; null for forms with secrets, which are kept nowhere. */
  readonly key: string | null
  /** The values of the record. */
  readonly saved: Values
  /** Values that are objects are compared member by member; of those, a conflict has only the members that both have changed. */
  readonly isByMember?: boolean
}

interface Typed<Values> {
  readonly values: Partial<Values>
  /** What was saved as the reader began to type over it. */
  readonly before: Partial<Values>
}

const nothing = { values: {}, before: {} }

export function useForm<Values extends object>({ key, saved, isByMember = false }: Options<Values>): FormState<Values> {
  const [typed, setTyped] = useState<Typed<Values>>(() => kept(key) ?? nothing)
  useEffect(() => keep(key, typed), [key, typed])
  return useMemo(() => {
    const change = (next: Partial<Values>) =>
      setTyped(({ values, before }) => {
        const names = Object.keys(next) as (keyof Values)[]
        const fresh = names.filter((name) => !(name in before))
        const known = { ...before, ...pick(saved, fresh) }
        return {
          values: { ...values, ...next },
          before: isByMember ? { ...known, ...agreed(next, known, saved) } : known,
        }
      })
    return {
      ...over(typed, saved, isByMember),
      set: (name, value) => change({ [name]: value } as unknown as Partial<Values>),
      change,
      over: (newer) => over(typed, newer, isByMember),
      settle: (sent) =>
        setTyped(({ values, before }) => {
          const left = (Object.keys(values) as (keyof Values)[]).filter((name) => !isSame(values[name], sent[name]))
          const next = { values: pick(values, left), before: { ...pick(before, left), ...pick(sent, left) } }
          keep(key, next)
          return next
        }),
      keep: (name, member) =>
        setTyped(({ values, before }) => ({
          values,
          before: { ...before, [name]: withMember(before, saved, name, member) },
        })),
      take: (name, member) => {
        // At once, since the form may be gone before it is drawn again.
        if (name === undefined) keep(key, nothing)
        setTyped(({ values, before }) => {
          if (name === undefined) return nothing
          if (member !== undefined)
            return { values: { ...values, [name]: withMember(values, saved, name, member) }, before }
          return { values: without(values, name), before: without(before, name) }
        })
      },
    }
  }, [key, typed, saved, isByMember])
}

/** What was typed, over a record. Typing what was there before changes nothing. */
function over<Values extends object>(typed: Typed<Values>, saved: Values, isByMember: boolean): Typing<Values> {
  const changed: Partial<Values> = {}
  const conflicts: Partial<Values> = {}
  for (const name of Object.keys(typed.values) as (keyof Values)[]) {
    const of = { mine: typed.values[name], before: typed.before[name], theirs: saved[name] }
    if (isByMember && isObject(of.mine) && isObject(of.before) && isObject(of.theirs)) {
      const { mine, before, theirs } = of
      const own = Object.keys(mine).filter((member) => isOwn(mine[member], before[member], theirs[member]))
      if (own.length > 0) changed[name] = { ...theirs, ...pick(mine, own) } as Values[typeof name]
      const both = own.filter((member) => !isSame(before[member], theirs[member]))
      if (both.length > 0) conflicts[name] = pick(theirs, both) as Values[typeof name]
    } else if (isOwn(of.mine, of.before, of.theirs)) {
      changed[name] = of.mine as Values[typeof name]
      if (!isSame(of.before, of.theirs)) conflicts[name] = of.theirs
    }
  }
  return { values: { ...saved, ...changed }, changed, isChanged: Object.keys(changed).length > 0, conflicts }
}

const isOwn = (mine: unknown, before: unknown, theirs: unknown) => !isSame(mine, theirs) && !isSame(mine, before)

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was saved before, where the reader has now the members that are saved: these were not typed. */
function agreed<Values extends object>(next: Partial<Values>, before: Partial<Values>, saved: Values): Partial<Values> {
  const known: Partial<Values> = {}
  for (const name of Object.keys(next) as (keyof Values)[]) {
    const { mine, base, theirs } = { mine: next[name], base: before[name], theirs: saved[name] } as const
    if (!(isObject(mine) && isObject(base) && isObject(theirs))) continue
    const same = Object.keys(mine).filter((member) => isSame(mine[member], theirs[member]))
    known[name] = { ...base, ...pick(theirs as Members, same) } as Values[typeof name]
  }
  return known
}

/** A value with what is saved: as a whole, or in one member. */
function withMember<Values extends object>(
  of: Partial<Values>,
  saved: Values,
  name: keyof Values,
  member: string | undefined,
): unknown {
  if (member === undefined) return saved[name]
  return { ...of[name], [member]: (saved[name] as Members)[member] }
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
