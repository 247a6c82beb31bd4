import type { TimelineEvent, TournamentWithParts } from '../../../../client/generated.ts'

/** The events of a timeline as the values of a form, by their GUIDs; new ones by names of their own, taken out ones as null. */

export interface EventValues {
  readonly title: string
  readonly description: string
  readonly icon: string
  readonly startTime: string | null
  readonly endTime: string | null
}
export type Events = Readonly<Record<string, EventValues | null>>

export function eventsOf(timeline: readonly TimelineEvent[]): Events {
  return Object.fromEntries(
    timeline.map(({ guid, title, description, icon, startTime, endTime }) => [
      guid,
      { title, description: description ?? '', icon, startTime, endTime },
    ]),
  )
}

export const newEvent: EventValues = { title: '', description: '', icon: 'flag', startTime: null, endTime: null }

/** Those that stay, by their start; what has none yet is last. */
export function inOrder(events: Events): readonly (readonly [key: string, EventValues])[] {
  return Object.entries(events)
    .flatMap(([key, event]) => (event === null ? [] : [[key, event] as const]))
    .toSorted(([, one], [, other]) => (one.startTime ?? '9').localeCompare(other.startTime ?? '9'))
}

/** As the line shows them to readers. */
export function shownEvents(events: Events): readonly TimelineEvent[] {
  return inOrder(events).flatMap(([guid, { startTime, title, description, ...event }]) =>
    startTime === null || title.trim() === ''
      ? []
      : [{ ...event, guid, title, startTime, description: description === '' ? null : description }],
  )
}

export type Clash =
  | { readonly kind: 'backwards' | 'late' }
  | { readonly kind: 'overlap'; readonly titles: readonly string[] }

/** What is worth a look at an event: its end before its start, other events at the same time, the end of the tournament before it. */
export function clashesOf(key: string, events: Events, { endsAt }: TournamentWithParts): readonly Clash[] {
  const event = events[key]
  if (!event || event.startTime === null) return []
  const { startTime, endTime } = event
  const titles = inOrder(events).flatMap(([other, { title, startTime: from, endTime: to }]) => {
    if (other === key || from === null || to === null || endTime === null) return []
    return from < endTime && startTime < to ? [title] : []
  })
  return [
    ...(endTime !== null && endTime < startTime ? [{ kind: 'backwards' as const }] : []),
    ...(titles.length > 0 ? [{ kind: 'overlap' as const, titles }] : []),
    ...(endsAt !== null && startTime > endsAt ? [{ kind: 'late' as const }] : []),
  ]
}
