import { Link, Outlet, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TournamentWithParts } from '../../../client/generated.ts'
import { FaultOf, ForbiddenPage } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { useAccess, useMay, useTournament } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Behind } from '../parts/behind.tsx'
import { StateIcon } from '../parts/icon.tsx'
import { Pending } from '../parts/loaded.tsx'
import { RehearsalTime } from '../parts/rehearsal-time.tsx'
import { SideMenu } from '../parts/side-menu.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import { ActLink } from './act-link.tsx'
import styles from './frame.module.css'
import { groups, type ManagePage, type ManagePath, managePages } from './pages.ts'
import { StatusOf } from './status.tsx'

/** The frame of the pages for those who run a tournament: its menu, and who may see which page. */
export function ManageFrame() {
  return (
    <SignedIn title={words('manage.title')} why={words('manage.sign-in')}>
      {() => <OfReader />}
    </SignedIn>
  )
}

function OfReader() {
  const tournament = useTournament()
  const access = useAccess()
  const may = useMay()
  const at = useMatches({ select: (matches) => matches.at(-1)?.fullPath.replace(/(?<=.)\/$/, '') })
  const failed = [access, tournament].find(({ data, error }) => data === undefined && error !== null)
  if (failed?.error) return <FaultOf error={failed.error} again={() => void failed.refetch()} />
  if (tournament.data === undefined || access.data === undefined) return <Pending title={words('manage.title')} />
  const shown: readonly ManagePage[] = managePages.filter(({ sees }) => may(sees))
  const page = shown.find(({ to }) => to === at)
  if (page === undefined) return <ForbiddenPage />
  const content =
    page.isWhole === true ? (
      <Outlet />
    ) : (
      <Menu tournament={tournament.data} pages={shown} page={page}>
        <Outlet />
      </Menu>
    )
  const { rehearsal } = tournament.data
  return (
    <>
      {rehearsal !== undefined && <Rehearsing of={rehearsal.of} guid={tournament.data.guid} />}
      <RehearsalTime>
        <Behind
          tournament={tournament.data}
          settings={
            <ActLink act="tournaments.update" hash="stream">
              {words('behind.settings')}
            </ActLink>
          }
        />
        {content}
      </RehearsalTime>
    </>
  )
}

/** So that a rehearsal is not taken for the tournament, whose pages look the same. (R1) */
function Rehearsing({ of, guid }: { readonly of: string; readonly guid: string }) {
  return (
    <p className="notice notice-warning">
      {words('rehearsal.here')}{' '}
      <Link to="/manage/$tournament/rehearsal/$rehearsal" params={{ tournament: of, rehearsal: guid }}>
        {words('rehearsal.here-clock')}
      </Link>{' '}
      <Link to="/manage/$tournament/rehearsal" params={{ tournament: of }}>
        {words('rehearsal.here-back')}
      </Link>
    </p>
  )
}

interface MenuProps {
  readonly tournament: TournamentWithParts
  readonly pages: readonly ManagePage[]
  readonly page: ManagePage
  readonly children: ReactNode
}

function Menu({ tournament: { id, name, status, rehearsal }, pages, page, children }: MenuProps) {
  const findings = useRead(address('/tournaments/{tournament}/health', { tournament: id }), { live: true }).data ?? []
  const menu = (
    <>
      <p className={styles.which}>
        <bdi className="strong">{name}</bdi>
        <span className={styles.state}>
          {rehearsal !== undefined && <b>{words('manage.rehearsal')}</b>}
          <StatusOf status={status} />
          <Link to="/t/$tournament" params={{ tournament: id }}>
            {words('manage.public')}
          </Link>
        </span>
      </p>
      {groups.map((group) => {
        const own = pages.filter((each) => each.group === group)
        if (own.length === 0) return null
        return (
          <div key={group}>
            {group !== 'due' && <h2>{words(`manage.group-${group}`)}</h2>}
            <ul>
              {own.map(({ to, word }) => (
                <li key={to}>
                  <Link to={to as ManagePath} params={{ tournament: id }} activeOptions={{ exact: group === 'due' }}>
                    {words(word)}
                    {group === 'due' && findings.length > 0 && <Count of={findings} />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </>
  )
  return (
    <SideMenu
      id="manage"
      label={words('manage.of', { name })}
      title={words('manage.title')}
      page={words(page.word)}
      menu={menu}
    >
      {children}
    </SideMenu>
  )
}

function Count({ of }: { readonly of: readonly { readonly severity: 'error' | 'warning' }[] }) {
  const isBad = of.some(({ severity }) => severity === 'error')
  return (
    <span className={`${styles.count} ${isBad ? styles.alert : ''}`}>
      <StateIcon name="problem" />
      <span aria-hidden="true">{of.length}</span>
      <span className="unseen">{words('manage.findings', { count: of.length })}</span>
    </span>
  )
}
