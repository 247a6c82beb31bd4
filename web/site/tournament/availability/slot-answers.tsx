import { useMemo, useRef, useState } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { dayOf, ownZone, timeOf } from '../../parts/time.tsx'
import { nameOf, type Subject, useAnswering } from './answering.ts'
import { Brushes, Zones } from './brushes.tsx'
import { copiedDay } from './copying.ts'
import { type Difference, Differing } from './differing.tsx'
import { Foot } from './foot.tsx'
import { gridOf } from './grid.ts'
import { Painter } from './painter.tsx'
import { Reasons } from './reasons.tsx'
import { Late } from './sending.tsx'
import {
  type Answer,
  type Answers,
  alike,
  answerOf,
  answersOf,
  isSameAnswer,
  responsesOf,
  type Slot,
  type Span,
  type Status,
  slotsOf,
} from './slots.ts'

/** Answers by slot, of a team or of somebody in a role. */

interface Props {
  readonly sheet: AvailabilitySheet
  readonly subject: Subject
  /** Of the team; null for the reader. */
  readonly name: string | null
  readonly isClosed: boolean
}

/** Staff answer quarters of an hour, whatever the slots of the sheet. */
const staffMinutes = 15

const givenOf = ({ responses, teamResponses }: AvailabilitySheet, subject: Subject) =>
  'team' in subject
    ? teamResponses.filter(({ teamGuid }) => teamGuid === subject.team)
    : responses.filter(({ userGuid, role }) => userGuid === subject.user && role === subject.role)

export function SlotAnswers({ sheet, subject, name, isClosed }: Props) {
  const [zone, setZone] = useState(ownZone)
  const [status, setStatus] = useState<Status | null>(sheet.acceptedStatuses[0] ?? null)
  const [reason, setReason] = useState('')
  const [copied, setCopied] = useState<string | null>(null)
  const isOfTeam = 'team' in subject
  const brush = status === null ? null : answerOf(status, isOfTeam ? null : reason.trim())
  const minutes = isOfTeam ? sheet.slotMinutes : staffMinutes
  const slots = useMemo(() => slotsOf(sheet.windows, minutes), [sheet.windows, minutes])
  const grid = useMemo(() => gridOf(slots, zone), [slots, zone])
  const form = useForm<Answers>({
    key: nameOf(sheet, subject),
    // biome-ignore lint/correctness/useExhaustiveDependencies: the subject is the same as long as the form is there
    saved: useMemo(() => answersOf(slots, givenOf(sheet, subject)), [slots, sheet]),
  })
  const { values: answers, change } = form
  const answering = useAnswering({
    sheet,
    subject,
    form,
    savedOf: (newer) => answersOf(slots, givenOf(newer, subject)),
    inputsOf: (of) => responsesOf(slots, of),
  })
  const place = useRef<HTMLDivElement>(null)
  const differences = differencesOf(slots, form, (span) => labelOf(span, zone))
  const send = () => (differences.length > 0 ? place.current?.focus() : void answering.waiting.send())
  const copy = (day: string) => {
    if (copied === null || copied === day) return setCopied(copied === null ? day : null)
    change(copiedDay({ grid, slots, answers }, copied, [day]))
  }
  return (
    <Section
      title={name === null ? words('availability.yours') : words('availability.of', { name })}
      beside={
        <Zones
          chosen={zone}
          other={sheet.timezone}
          between={[slots[0]?.start ?? 0, slots.at(-1)?.end ?? 0]}
          choose={setZone}
        />
      }
    >
      <Form error={answering.error} isChanged={form.isChanged} onSubmit={send}>
        <Late isClosed={isClosed} form={form} />
        {!isClosed && (
          <Brushes
            accepted={sheet.acceptedStatuses}
            status={status}
            choose={setStatus}
            reason={isOfTeam ? undefined : reason}
            say={setReason}
          />
        )}
        {grid.days.some((day) => day.change !== null) && (
          <p className="notice notice-warning">{words('availability.clocks')}</p>
        )}
        <Differing
          form={form}
          differences={differences}
          by={isOfTeam ? sheet.teamSubmissions.find(({ teamGuid }) => teamGuid === subject.team) : undefined}
          place={place}
        />
        <Painter
          grid={grid}
          slots={slots}
          zone={zone}
          answers={answers}
          open={new Set(Object.keys(form.conflicts))}
          brush={brush}
          isClosed={isClosed}
          label={words('availability.grid')}
          paint={change}
          copied={copied}
          copy={copy}
        />
        <Reasons
          slots={slots}
          answers={answers}
          labelOf={(span) => labelOf(span, zone)}
          change={isClosed ? null : change}
        />
        {!isClosed && (
          <Foot
            grid={grid}
            slots={slots}
            form={form}
            zone={zone}
            answering={answering}
            copied={copied}
            stopCopying={() => setCopied(null)}
          />
        )}
      </Form>
    </Section>
  )
}

/** Joins neighbouring slots for which both say the same. */
function differencesOf(
  slots: readonly Slot[],
  { conflicts, values }: { readonly conflicts: Partial<Answers>; readonly values: Answers },
  label: (span: Span) => string,
): readonly Difference[] {
  interface Both {
    readonly mine: Answer | null
    readonly theirs: Answer | null
  }
  const of = ({ key }: Slot): Both | null =>
    key in conflicts ? { mine: values[key] ?? null, theirs: conflicts[key] ?? null } : null
  const isAlike = (one: Both, other: Both) =>
    isSameAnswer(one.mine, other.mine) && isSameAnswer(one.theirs, other.theirs)
  return alike(slots, of, isAlike).map((span) => ({
    ...span.of,
    keys: span.slots.map(({ key }) => key),
    label: label(span),
  }))
}

/** Such as `Fri 1 May 18:00 – 19:30`. */
function labelOf({ start, end }: Span, zone: string): string {
  const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()]
  const isOneDay = dayOf(from, zone) === dayOf(to, zone)
  return `${dayOf(from, zone)} ${timeOf(from, zone)} – ${isOneDay ? '' : `${dayOf(to, zone)} `}${timeOf(to, zone)}`
}
