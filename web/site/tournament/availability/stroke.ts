import { useRef } from 'react'
import type { Answer, Answers } from './slots.ts'

/** A rectangle of times that is being painted: what it no longer covers is again as it was. */

export interface Place {
  readonly day: number
  readonly row: number
}

interface Stroke {
  readonly from: Place
  readonly brush: Answer | null
  readonly before: Answers
  painted: readonly string[]
}

interface Options {
  readonly answers: Answers
  readonly slotAt: (place: Place) => string | undefined
  readonly paint: (answers: Answers) => void
}

export function useStroke({ answers, slotAt, paint }: Options) {
  const stroke = useRef<Stroke | null>(null)
  const to = (place: Place) => {
    if (stroke.current === null) return
    const { from, before, painted, brush } = stroke.current
    const keys = range(from.day, place.day).flatMap((day) =>
      range(from.row, place.row).flatMap((row) => slotAt({ day, row }) ?? []),
    )
    paint({
      ...Object.fromEntries(painted.map((key) => [key, before[key] ?? null])),
      ...Object.fromEntries(keys.map((key) => [key, brush])),
    })
    stroke.current.painted = keys
  }
  return {
    begin(from: Place, brush: Answer | null) {
      stroke.current = { from, brush, before: answers, painted: [] }
      to(from)
    },
    to,
    end() {
      stroke.current = null
    },
  }
}

const range = (one: number, other: number): readonly number[] =>
  Array.from({ length: Math.abs(other - one) + 1 }, (_, at) => Math.min(one, other) + at)
