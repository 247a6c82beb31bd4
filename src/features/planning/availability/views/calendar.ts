import { escape as escapeText, ICalCalendar, ICalEventBusyStatus, ICalEventTransparency } from 'ical-generator'
import { oneLine } from '../../../../core/text.ts'
import { type AvailabilityStatus, availabilityStatuses } from '../../../../engine/availability.ts'
import { type Suggestion, startOf } from '../rules/overlap.ts'
import type { Sheet } from '../types.ts'

/** Chosen slots and matches as an iCalendar file. (RFC 5545) */

const words: Readonly<Record<AvailabilityStatus, string>> = {
  available: 'available',
  maybe: 'maybe',
  would_rather_not: 'would rather not',
  unavailable: 'unavailable',
}

export interface ChosenSlots {
  readonly sheet: Sheet
  readonly suggestions: readonly Suggestion[]
  /** Names by GUID of user or team. */
  readonly names: ReadonlyMap<string, string>
  readonly changedAt: Date
  readonly host: string
}

/** Every instant is in UTC, so that each program shows it in its user's own time zone. */
export function chosenSlotsText({ sheet, suggestions, names, changedAt, host }: ChosenSlots): string {
  const title = oneLine(sheet.title)
  const calendar = new ICalCalendar({
    prodId: { company: 'Downbeat', product: 'Availability', language: 'EN' },
    // The library writes this value as it is, so it is escaped here.
    name: escapeText(title, false),
  })
  for (const suggestion of suggestions) {
    const { span, match } = suggestion
    const start = startOf(suggestion)
    if (start === null) continue
    calendar.createEvent({
      id: `availability-${sheet.guid}-${match?.matchGuid ?? start}@${host}`,
      stamp: changedAt,
      start: new Date(start),
      end: span === null ? null : new Date(span.end),
      summary: `${match === null ? title : `${title}: match ${match.number}`} (${countsOf(suggestion)})`,
      description: peopleOf(suggestion, names),
      transparency: ICalEventTransparency.TRANSPARENT,
      busystatus: ICalEventBusyStatus.TENTATIVE,
    })
  }
  return calendar.toString()
}

function countsOf({ counts, unanswered }: Suggestion): string {
  const answered = availabilityStatuses.filter((status) => counts[status] > 0)
  const parts = answered.map((status) => `${counts[status]} ${words[status]}`)
  return [...parts, ...(unanswered > 0 ? [`${unanswered} unanswered`] : [])].join(', ') || 'nobody asked'
}

function peopleOf({ people }: Suggestion, names: ReadonlyMap<string, string>): string | null {
  const lines = availabilityStatuses.flatMap((status) => {
    const those = people.filter((each) => each.status === status)
    const named = those.map(({ person: { guid, role } }) => {
      const name = oneLine(names.get(guid) ?? guid)
      return role === null ? name : `${name} (${role.replace('role:', '')})`
    })
    return named.length === 0 ? [] : [`${words[status]}: ${named.join(', ')}`]
  })
  return lines.join('\n') || null
}
