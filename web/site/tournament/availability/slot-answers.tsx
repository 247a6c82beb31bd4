import { useMemo, useState } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { cityOf, offsetOf, ownZone } from '../../parts/time.tsx'
import styles from './availability.module.css'
import { hasClockChange, Painter, type Status } from './painter.tsx'
import { answersOf, type Grid, gridOf, slotsOf, spansOf } from './slots.ts'

/** Answers by slot, of a team or of somebody in a role. */

export type Role = NonNullable<AvailabilitySheet['roles'][number]>

interface Props {
  readonly sheet: AvailabilitySheet
  readonly subject: { readonly team: string } | { readonly role: Role }
  /** Of the team; null for the reader. */
  readonly name: string | null
  readonly given: readonly {
    readonly status: Status
    readonly startsAt: string | null
    readonly endsAt: string | null
  }[]
  readonly isClosed: boolean
}

/** Staff answer quarters of an hour, whatever the slots of the sheet. */
const staffMinutes = 15

export function SlotAnswers({ sheet, subject, name, given, isClosed }: Props) {
  const tournament = useTournamentId()
  const [zone, setZone] = useState(ownZone)
  const [brush, setBrush] = useState<Status | null>(sheet.acceptedStatuses[0] ?? null)
  const minutes = 'team' in subject ? sheet.slotMinutes : staffMinutes
  const slots = useMemo(() => slotsOf(sheet.windows, minutes), [sheet.windows, minutes])
  const grid = useMemo(() => gridOf(slots, zone), [slots, zone])
  const key = 'team' in subject ? subject.team : subject.role
  const form = useForm({
    key: `availability-${sheet.guid}-${key}`,
    saved: { answers: useMemo(() => answersOf(slots, given), [slots, given]) },
  })
  const { answers } = form.values
  const set = (next: readonly (Status | null)[]) => form.set('answers', next)
  const paint = (places: readonly number[], status: Status | null) =>
    set(answers.map((before, place) => (places.includes(place) ? status : before)))

  const renewed = (known: Parameters<NonNullable<Parameters<typeof useWrite>[1]>>[0]) => {
    known.renew(address('/tournaments/{tournament}/availability/sheets/{sheet}', { tournament, sheet: sheet.guid }))
    known.renew('/users/@me/agenda')
    form.take()
  }
  const ofTeam = useWrite('PUT /tournaments/{tournament}/availability/sheets/{sheet}/teams/{team}/responses', renewed)
  const own = useWrite('PUT /tournaments/{tournament}/availability/sheets/{sheet}/responses', renewed)
  const isSending = ofTeam.isSending || own.isSending
  const send = () => {
    const responses = spansOf(slots, answers)
    const at = { tournament, sheet: sheet.guid }
    if ('team' in subject) return ofTeam.send({ params: { ...at, team: subject.team }, body: { responses } })
    return own.send({ params: at, body: { responses, role: subject.role } })
  }

  return (
    <Section
      title={name === null ? words('availability.yours') : words('availability.of', { name })}
      beside={<Zones chosen={zone} other={sheet.timezone} choose={setZone} />}
    >
      <Form error={ofTeam.error ?? own.error} isChanged={form.isChanged} onSubmit={send}>
        {!isClosed && <Brushes accepted={sheet.acceptedStatuses} chosen={brush} choose={setBrush} />}
        {hasClockChange(grid, zone) && <p className="notice notice-warning">{words('availability.clocks')}</p>}
        {form.conflicts.answers !== undefined && (
          <div className="notice notice-warning" role="status">
            <p className="push">{words('availability.meanwhile')}</p>
            <button type="button" className="btn" onClick={() => form.keep('answers')}>
              {words('form.mine')}
            </button>
            <button type="button" className="btn" onClick={() => form.take('answers')}>
              {words('form.theirs')}
            </button>
          </div>
        )}
        <Painter
          grid={grid}
          zone={zone}
          answers={answers}
          brush={brush}
          isClosed={isClosed}
          label={words('availability.grid')}
          paint={paint}
          copyDay={(from) => set(copied(grid, answers, from))}
        />
        {!isClosed && (
          <div className={styles.foot}>
            <Save isSending={isSending} isSaved={ofTeam.isDone || own.isDone} isDisabled={!form.isChanged}>
              {words('availability.save')}
            </Save>
            <div className="btns">
              {grid.days.length > daysOfWeek && (
                <button type="button" className="btn" onClick={() => set(repeated(grid, answers))}>
                  {words('availability.copy-week')}
                </button>
              )}
              <button type="button" className="btn btn-quiet" onClick={() => set(answers.map(() => null))}>
                {words('availability.clear')}
              </button>
            </div>
          </div>
        )}
      </Form>
    </Section>
  )
}

/** The answers of one day on all days. */
function copied({ days, rows, at }: Grid, answers: readonly (Status | null)[], from: string) {
  const next = [...answers]
  for (const { key } of rows) {
    const source = at(from, key)
    if (source === undefined) continue
    for (const day of days) {
      const target = at(day.key, key)
      if (target !== undefined) next[target] = answers[source] ?? null
    }
  }
  return next
}

const daysOfWeek = 7

/** The answers of the first week in all weeks. */
function repeated({ days, rows, at }: Grid, answers: readonly (Status | null)[]) {
  const next = [...answers]
  for (const [place, day] of days.entries()) {
    const from = days[place % daysOfWeek]
    if (from === undefined) continue
    for (const { key } of rows) {
      const [source, target] = [at(from.key, key), at(day.key, key)]
      if (source !== undefined && target !== undefined) next[target] = answers[source] ?? null
    }
  }
  return next
}

function Zones({
  chosen,
  other,
  choose,
}: {
  readonly chosen: string
  readonly other: string
  readonly choose: (zone: string) => void
}) {
  if (other === ownZone) return <span className="muted">{nameOf(ownZone)}</span>
  return (
    <fieldset className="choices">
      <legend className="unseen">{words('availability.zone')}</legend>
      {[ownZone, other].map((zone) => (
        <button key={zone} type="button" className="btn" aria-pressed={zone === chosen} onClick={() => choose(zone)}>
          {nameOf(zone)}
        </button>
      ))}
    </fieldset>
  )
}

const nameOf = (zone: string): string => `${cityOf(zone)}, ${offsetOf(zone)}`

function Brushes({
  accepted,
  chosen,
  choose,
}: {
  readonly accepted: readonly Status[]
  readonly chosen: Status | null
  readonly choose: (status: Status | null) => void
}) {
  return (
    <fieldset className={styles.brushes}>
      <legend className="small muted">{words('availability.how')}</legend>
      {[...accepted, null].map((status) => (
        <label key={status ?? 'none'} className="choice">
          <input type="radio" name="brush" checked={chosen === status} onChange={() => choose(status)} />
          <span className={`${styles.sample} ${status === null ? '' : styles[status]}`} />
          {status === null ? words('availability.none') : words(`availability.${status}`)}
        </label>
      ))}
    </fieldset>
  )
}
