import type { AvailabilitySheet, AvailabilityWindow } from '../../../../client/generated.ts'

/** The slots of a sheet, and what is answered for each. */

export interface Slot {
  /** Its start, as the API says it. */
  readonly key: string
  readonly start: number
  readonly end: number
}

export type Status = AvailabilitySheet['acceptedStatuses'][number]

export interface Answer {
  readonly status: Status
  readonly reason?: string
}

/** The longest reason that the API takes. */
export const maxReason = 500

/** By the keys of slots, or the GUIDs of matches. */
export type Answers = Readonly<Record<string, Answer | null>>

export const isSameAnswer = (one: Answer | null | undefined, other: Answer | null | undefined): boolean =>
  one?.status === other?.status && (one?.reason ?? '') === (other?.reason ?? '')

export const answerOf = (status: Status, reason: string | null | undefined): Answer => ({
  status,
  ...(reason ? { reason } : {}),
})

const minuteMs = 60_000

export function slotsOf(windows: readonly AvailabilityWindow[], minutes: number): readonly Slot[] {
  const size = minutes * minuteMs
  return windows.flatMap(({ startsAt, endsAt }) => {
    const [from, to] = [Date.parse(startsAt), Date.parse(endsAt)]
    const count = Math.max(0, Math.ceil((to - from) / size))
    return Array.from({ length: count }, (_, at) => {
      const start = from + at * size
      return { key: new Date(start).toISOString(), start, end: Math.min(to, start + size) }
    })
  })
}

export interface Span {
  readonly slots: readonly Slot[]
  readonly start: number
  readonly end: number
}

/** Joins neighbouring slots with an equal value to spans; those whose value is null are in none. */
export function alike<Of>(slots: readonly Slot[], of: (slot: Slot) => Of | null, isAlike: (a: Of, b: Of) => boolean) {
  const spans: { of: Of; slots: Slot[]; start: number; end: number }[] = []
  for (const slot of slots) {
    const own = of(slot)
    if (own === null) continue
    const last = spans.at(-1)
    if (last !== undefined && last.end === slot.start && isAlike(last.of, own)) {
      last.end = slot.end
      last.slots.push(slot)
    } else spans.push({ of: own, slots: [slot], start: slot.start, end: slot.end })
  }
  return spans
}

/** The answers as the API takes them. */
export const responsesOf = (slots: readonly Slot[], answers: Answers) =>
  alike(slots, ({ key }) => answers[key] ?? null, isSameAnswer).map(({ of: { status, reason }, start, end }) => ({
    status,
    otherReason: reason ?? null,
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(end).toISOString(),
  }))

interface Given {
  readonly status: Status
  readonly startsAt: string | null
  readonly endsAt: string | null
  readonly otherReason?: string | null
}

/** What was answered for each slot. */
export function answersOf(slots: readonly Slot[], given: readonly Given[]): Answers {
  const spans = given.flatMap(({ startsAt, endsAt, ...each }) =>
    startsAt === null || endsAt === null ? [] : [{ ...each, from: Date.parse(startsAt), to: Date.parse(endsAt) }],
  )
  spans.sort((one, other) => one.from - other.from)
  let at = 0
  return Object.fromEntries(
    slots.map(({ key, start }) => {
      while (at < spans.length && (spans[at]?.to ?? 0) <= start) at++
      const found = spans[at]
      return [
        key,
        found === undefined || found.from > start ? null : answerOf(found.status, found.otherReason),
      ] as const
    }),
  )
}
