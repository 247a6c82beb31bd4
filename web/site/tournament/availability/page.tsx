import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { AvailabilitySheet, AvailabilityState, UserCard } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { SignedIn } from '../../parts/signed-in.tsx'
import { Instant, useNow } from '../../parts/time.tsx'
import { MatchAnswers } from './match-answers.tsx'
import { SlotAnswers } from './slot-answers.tsx'

/** An availability sheet: when the reader can, or the team that they captain. */
export function Availability() {
  return <SignedIn title={words('availability.title')}>{(user) => <OfReader user={user} />}</SignedIn>
}

function OfReader({ user }: { readonly user: UserCard }) {
  const tournament = useTournamentId()
  const { sheet } = useParams({ from: '/t/$tournament/availability/$sheet' })
  const read = useRead(address('/tournaments/{tournament}/availability/sheets/{sheet}', { tournament, sheet }), {
    live: true,
  })
  const state = useRead(address('/tournaments/{tournament}/availability', { tournament }))
  if (read.data === undefined && read.error instanceof ApiError && read.error.status === 404)
    return (
      <div className="page stack">
        <h1>{words('availability.title')}</h1>
        <Empty>{words('availability.not-for-you')}</Empty>
      </div>
    )
  return (
    <div className="page stack">
      <Loaded of={read} rows={10} title={words('availability.title')}>
        {(found) => (
          <>
            <Head sheet={found} />
            <Loaded of={state} rows={8}>
              {(own) => <Answered sheet={found} state={own} user={user} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </div>
  )
}

/** Whether the sheet takes no answers any more; it closes while it is shown, too. */
function useClosed({ closesAt }: AvailabilitySheet): boolean {
  const closes = closesAt === null ? Number.POSITIVE_INFINITY : Date.parse(closesAt)
  return closes <= useNow(1_000)
}

function Head({ sheet }: { readonly sheet: AvailabilitySheet }) {
  const { title, description, closesAt, timezone } = sheet
  const isClosed = useClosed(sheet)
  return (
    <div className="title">
      <div>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {description !== null && (
          <p className="prose" dir="auto">
            {description}
          </p>
        )}
        {closesAt !== null && (
          <p>
            {words(isClosed ? 'availability.closed' : 'availability.closes')} <Instant at={closesAt} zone={timezone} />
          </p>
        )}
      </div>
    </div>
  )
}

interface Props {
  readonly sheet: AvailabilitySheet
  readonly state: AvailabilityState
  readonly user: UserCard
}

/** Whose answers they are: those of the team that the reader captains, or the reader's own in one of their roles. */
function Answered({ sheet, state, user }: Props) {
  const roles = state.applicantRoles.filter((role) => sheet.roles.length === 0 || sheet.roles.includes(role))
  const [role, setRole] = useState(roles[0])
  const isClosed = useClosed(sheet)
  if (sheet.audience === 'teams') {
    const team = sheet.eligibleTeams.find(({ captain }) => captain === user.guid)
    if (team === undefined) return <Empty>{words('availability.not-captain')}</Empty>
    return (
      <SlotAnswers key={team.guid} sheet={sheet} subject={{ team: team.guid }} name={team.name} isClosed={isClosed} />
    )
  }
  if (role === undefined) return <Empty>{words('availability.not-asked')}</Empty>
  const shared = { sheet, subject: { role, user: user.guid }, isClosed }
  return (
    <>
      {roles.length > 1 && (
        <label className="field">
          <span className="strong">{words('availability.as')}</span>
          <select className="in" value={role} onChange={({ target }) => setRole(target.value as typeof role)}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {words(`role.${each.replace('role:', '') as 'referee'}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      {sheet.mode === 'matches' ? (
        <MatchAnswers key={role} {...shared} />
      ) : (
        <SlotAnswers key={role} {...shared} name={null} />
      )}
    </>
  )
}
