import { useState } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { AvailabilityOverlap } from '../../data/generated.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { fullOf, timeOf } from '../../parts/time.tsx'
import type { Asked } from './asked.ts'
import styles from './availability.module.css'
import { statuses } from './sheets.ts'

/** Which times suit most: the best first, neighbours with the same answers as one. */

interface Props {
  readonly sheet: AvailabilitySheet
  readonly asked: readonly Asked[]
  readonly zone: string
}

type Slot = AvailabilityOverlap['slots'][number]

interface Best {
  readonly first: Slot
  readonly endsAt: string | undefined
}

/** How many of the best slots are asked for, and how many spans are shown at first. */
const most = 200
const few = 8

export function Overlap({ sheet, asked, zone }: Props) {
  const tournament = useTournamentId()
  const at = address(
    '/tournaments/{tournament}/availability/sheets/{sheet}/overlap',
    { tournament, sheet: sheet.guid },
    { top: most },
  )
  const read = useRead(at)
  useRenewal(at, stampOf(sheet))
  const [isWhole, setWhole] = useState(false)
  return (
    <Section title={words('sheets.best')}>
      <Loaded of={read} rows={few}>
        {({ slots }) => {
          const best = bestOf(slots)
          if (best.length === 0 || asked.every(({ hasAnswered }) => !hasAnswered))
            return <Empty>{words('sheets.no-best')}</Empty>
          return (
            <>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is wider than the page */}
              <section className="wide-content" tabIndex={0} aria-label={words('sheets.best-table')}>
                <table className={`table ${styles.best}`}>
                  <thead>
                    <tr>
                      <th scope="col" className="n">
                        {words('sheets.rank')}
                      </th>
                      <th scope="col">{words('sheets.when')}</th>
                      {statuses.map((status) => (
                        <th key={status} scope="col" className="n">
                          {words(`availability.${status}`)}
                        </th>
                      ))}
                      <th scope="col" className="n">
                        {words('availability.none')}
                      </th>
                      <th scope="col">{words('sheets.not-there')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {(isWhole ? best : best.slice(0, few)).map((each, at) => (
                      <Line
                        key={each.first.startsAt ?? each.first.matchGuid}
                        best={each}
                        rank={at + 1}
                        {...{ sheet, asked, zone }}
                      />
                    ))}
                  </tbody>
                </table>
              </section>
              {best.length > few && !isWhole && (
                <button type="button" className="btn" onClick={() => setWhole(true)}>
                  {words('plan.more-times', { count: best.length - few })}
                </button>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

/** Changes with every answer. */
const stampOf = ({ updatedAt, teamSubmissions, responses }: AvailabilitySheet): string =>
  JSON.stringify([updatedAt, teamSubmissions, responses.map(({ guid, status }) => [guid, status])])

function bestOf(slots: readonly Slot[]): readonly Best[] {
  const spans: { first: Slot; endsAt: string | undefined }[] = []
  for (const slot of slots) {
    const last = spans.at(-1)
    const isNext = last?.endsAt !== undefined && last.endsAt === slot.startsAt
    if (last !== undefined && isNext && JSON.stringify(last.first.people) === JSON.stringify(slot.people))
      last.endsAt = slot.endsAt
    else spans.push({ first: slot, endsAt: slot.endsAt })
  }
  return spans
    .filter(({ first: { counts } }) => counts.available + counts.maybe + counts.would_rather_not > 0)
    .toSorted((one, other) => one.first.rank - other.first.rank)
}

interface LineProps extends Props {
  readonly best: Best
  readonly rank: number
}

/** How many names are shown of those who are missing. */
const mostNames = 8

function Line({ best: { first, endsAt }, rank, sheet, asked, zone }: LineProps) {
  const { startsAt, matchGuid, counts, people } = first
  const there = new Set(
    people
      .filter(({ status }) => status !== 'unavailable')
      .map(({ teamGuid, userGuid, role }) => teamGuid ?? `${userGuid} ${role}`),
  )
  const missing = asked.filter(({ key }) => !there.has(key)).map(({ name }) => name)
  const match = sheet.matches.find((each) => each.matchGuid === matchGuid)?.match
  return (
    <tr>
      <td className="n">{rank}</td>
      <th scope="row" className="nowrap">
        {startsAt !== undefined && endsAt !== undefined
          ? `${fullOf(startsAt, zone)} – ${timeOf(endsAt, zone)}`
          : words('schedule.match', { number: match?.number ?? 0 })}
      </th>
      {statuses.map((status) => (
        <td key={status} className="n">
          {counts[status]}
        </td>
      ))}
      <td className="n">{counts.unanswered}</td>
      <td className={`muted ${styles.missing}`}>
        <bdi>{missing.length === 0 ? words('sheets.nobody') : missing.slice(0, mostNames).join(', ')}</bdi>
        {missing.length > mostNames && ` ${words('desk.and-more', { count: missing.length - mostNames })}`}
      </td>
    </tr>
  )
}
