import { Link } from '@tanstack/react-router'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { staffAddress, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { State } from '../../parts/state.tsx'
import { dayOf, Instant, useNow } from '../../parts/time.tsx'
import { askedBy } from './asked.ts'
import styles from './availability.module.css'
import { from } from './sheets.ts'

/** All sheets, the newest first. */
export function SheetList({ sheets, zone }: { readonly sheets: readonly AvailabilitySheet[]; readonly zone: string }) {
  const staff = useRead(staffAddress(useTournamentId()), { live: true }).data ?? []
  return (
    <table className={`table ${styles.list}`}>
      <caption className="unseen">{words('manage.availability')}</caption>
      <thead>
        <tr>
          <th scope="col">{words('sheets.title')}</th>
          <th scope="col">{words('sheets.asks')}</th>
          <th scope="col">{words('sheets.about')}</th>
          <th scope="col" className="n">
            {words('sheets.answered')}
          </th>
          <th scope="col">{words('sheets.state')}</th>
        </tr>
      </thead>
      <tbody>
        {sheets.map((sheet) => {
          const asked = askedBy(sheet, staff)
          return (
            <tr key={sheet.guid}>
              <th scope="row">
                <Link from={from} to="." search={{ sheet: sheet.guid }} className="plain strong">
                  <bdi>{sheet.title}</bdi>
                </Link>
              </th>
              <td>{asksWhom(sheet)}</td>
              <td>{aboutOf(sheet, zone)}</td>
              <td className="n">
                {words('desk.of', {
                  given: asked.filter(({ hasAnswered }) => hasAnswered).length,
                  asked: asked.length,
                })}
              </td>
              <td>
                <SheetState sheet={sheet} zone={zone} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Who is asked, in words. */
export function asksWhom({ audience, teamEligibility, roles }: AvailabilitySheet): string {
  if (audience === 'teams') return words(`sheets.teams-${teamEligibility}`)
  if (roles.length === 0) return words('sheets.all-staff')
  return roles.map((role) => words(`role.${role.replace('role:', '') as 'referee'}`)).join(', ')
}

function aboutOf({ mode, matches, windows }: AvailabilitySheet, zone: string): string {
  if (mode === 'matches') return words('plan.matches', { count: matches.length })
  const [first, last] = [windows[0], windows.at(-1)]
  if (first === undefined || last === undefined) return ''
  const days = [...new Set([dayOf(first.startsAt, zone), dayOf(last.startsAt, zone)])]
  return days.join(' – ')
}

export function SheetState({
  sheet: { closesAt },
  zone,
}: {
  readonly sheet: AvailabilitySheet
  readonly zone: string
}) {
  const time = useNow(30_000)
  if (closesAt === null)
    return (
      <State shape="ready" tone="quiet">
        {words('sheets.open')}
      </State>
    )
  const isClosed = Date.parse(closesAt) <= time
  return (
    <span className={styles.state}>
      <State shape={isClosed ? 'off' : 'ready'} tone="quiet">
        {words(isClosed ? 'sheets.closed' : 'sheets.open')}
      </State>
      <span className="small muted">
        {words(isClosed ? 'sheets.since' : 'sheets.until')} <Instant at={closesAt} zone={zone} />
      </span>
    </span>
  )
}
