import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { staffAddress, useAccess, useMay, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { grantableBy } from '../rights.ts'
import { HandOver } from './hand-over.tsx'
import { NewHolder } from './new-holder.tsx'
import { RoleTable } from './role-table.tsx'

/** Who does what in the tournament, and who may give which role. */
export function ManageStaff() {
  const tournament = useTournament()
  const roles = useAccess().data?.roles ?? []
  const may = useMay()
  const id = tournament.data?.id ?? ''
  const staff = useRead(staffAddress(id), { live: true, enabled: id !== '' })
  const mine = grantableBy(roles)
  return (
    <div className="page wide stack">
      <Loaded of={tournament} rows={8}>
        {(record) => (
          <>
            <div className="title">
              <div>
                <h1 data-title={`${words('manage.staff')} · ${record.name}`}>{words('manage.staff')}</h1>
                <p>{words('staff.intro', { count: mine.length, all: mine.length === 10 ? 'yes' : 'no' })}</p>
              </div>
            </div>
            <NewHolder tournament={record} roles={mine} />
            <Section title={words('staff.roles')}>
              <Loaded of={staff} rows={6}>
                {(groups) => <RoleTable tournament={record} groups={groups} roles={mine} />}
              </Loaded>
            </Section>
            <RoleWords />
            {may('tournaments.handOver') && <HandOver tournament={record} />}
          </>
        )}
      </Loaded>
    </div>
  )
}

/** What each role is for, in the words of the service. */
function RoleWords() {
  const catalogue = useRead(address('/userRoles', {}))
  return (
    <Section title={words('staff.what')}>
      <Loaded of={catalogue} rows={5}>
        {({ tournament }) => (
          <dl className="facts">
            {tournament.flatMap(({ role, description }) => [
              <dt key={role}>{words(`role.${role.replace('role:', '')}` as 'role.admin')}</dt>,
              <dd key={`${role} text`}>{description}</dd>,
            ])}
          </dl>
        )}
      </Loaded>
    </Section>
  )
}
