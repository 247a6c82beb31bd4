import { normaliseGuid } from '../../../core/ids.ts'
import { readNameOf } from '../../../core/names.ts'
import { invalid } from '../../../core/problem.ts'
import { readInstant } from '../../../core/time.ts'
import type { NewTimelineEvent, TimelineEvent } from './types.ts'

export const maxTitleCharacters = 120
export const maxDescriptionCharacters = 2_000
/** Names of icons, of events and flairs alike. */
export const iconPattern = '^[a-z0-9][a-z0-9_-]{0,63}$'

/** A timeline event in a request body. Instants are text; an absent instant is not set. */
export interface TimelineEventInput {
  readonly guid?: string
  readonly title: string
  readonly description?: string | null
  readonly icon: string
  readonly startTime: string
  readonly endTime?: string | null
}

/** The changes that turn the current timeline into the wanted one. */
export interface Replacement {
  readonly created: readonly NewTimelineEvent[]
  /** Only the events that change. */
  readonly updated: readonly TimelineEvent[]
  readonly deleted: readonly TimelineEvent[]
}

/**
 * Plans how the new timeline replaces the old one: events with a GUID are updated, events without one are created,
 * absent events are deleted. Each GUID must belong to this timeline and may occur only once.
 * (rest-interface: Timeline events)
 * @throws Problem `timeline.time_invalid`, `timeline.event_twice`, `timeline.event_unknown`
 */
export function planReplacement(current: readonly TimelineEvent[], wanted: readonly TimelineEventInput[]): Replacement {
  const created: NewTimelineEvent[] = []
  const updated: TimelineEvent[] = []
  const left = new Map(current.map((event) => [event.guid, event]))
  for (const { guid, ...event } of readTimeline(wanted)) {
    if (guid === null) {
      created.push(event)
      continue
    }
    const before = left.get(guid)
    if (before === undefined) throw unknownEvent(guid)
    left.delete(guid)
    if (!isSame(before, event)) updated.push({ guid, ...event })
  }
  return { created, updated, deleted: [...left.values()] }
}

type ReadEvent = NewTimelineEvent & { readonly guid: string | null }

function readTimeline(inputs: readonly TimelineEventInput[]): ReadEvent[] {
  const events = inputs.map((input, index) => ({
    guid: input.guid === undefined ? null : normaliseGuid(input.guid),
    ...readEvent(input, index),
  }))
  const seen = new Set<string>()
  for (const { guid } of events) {
    if (guid === null) continue
    if (seen.has(guid)) throw invalid('timeline.event_twice', `The event ${guid} stands in the timeline twice.`)
    seen.add(guid)
  }
  return events
}

function unknownEvent(guid: string) {
  return invalid(
    'timeline.event_unknown',
    `The timeline has no event ${guid}; leave the GUID out to create one, or load the timeline again.`,
  )
}

/**
 * An event has a visible title on one line, a start, and an optional end that is not before the start.
 * (rest-interface: Timeline event; D7, D56)
 */
function readEvent(input: TimelineEventInput, index: number): NewTimelineEvent {
  const title = readNameOf(`timelineEvents[${index}].title`, input.title)
  const startTime = readInstant(input.startTime, (reason) => timeFault(index, 'startTime', reason))
  const endTime = readInstant(input.endTime, (reason) => timeFault(index, 'endTime', reason))
  if (startTime === null) throw timeFault(index, 'startTime', 'must be set')
  if (endTime !== null && endTime < startTime) throw timeFault(index, 'endTime', 'must not be before startTime')
  return { title, description: input.description || null, icon: input.icon, startTime, endTime }
}

function timeFault(index: number, name: string, reason: string) {
  return invalid('timeline.time_invalid', `The body's member "timelineEvents[${index}].${name}" ${reason}.`)
}

function isSame(before: TimelineEvent, after: NewTimelineEvent): boolean {
  return (
    before.title === after.title &&
    before.description === after.description &&
    before.icon === after.icon &&
    before.startTime.getTime() === after.startTime.getTime() &&
    before.endTime?.getTime() === after.endTime?.getTime()
  )
}
