import { Outlet, useParams } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { useRead } from '../data/queries.ts'
import { useAccess, useMay, useTournament, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { controlAddress } from '../overlay/control/acts.ts'
import { ControlPanel } from '../overlay/control/panel.tsx'
import { Empty, Pending } from '../parts/loaded.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import styles from './coordinate.module.css'

/**
 * What is on air, and under it the cockpit of the match that it shows: another match there is another cockpit here. (OV15)
 */
export function Coordinate() {
  return (
    <SignedIn title={words('coordinate.title')} why={words('coordinate.sign-in')}>
      {() => <OfReader />}
    </SignedIn>
  )
}

function OfReader() {
  const overlay = useParams({ strict: false }).overlay as string
  const control = useRead(controlAddress(useTournamentId(), overlay), { live: true })
  const tournament = useTournament()
  const access = useAccess()
  const may = useMay()
  const failed = [control, tournament, access].find(({ data, error }) => data === undefined && error !== null)
  if (failed?.error) return <FaultOf error={failed.error} again={() => void failed.refetch()} />
  if (control.data === undefined || access.data === undefined || tournament.data === undefined)
    return <Pending title={words('coordinate.title')} />
  const { matchGuid } = control.data
  const hasCockpit = matchGuid !== null && may('flowSessions.override')
  return (
    <>
      <div className={`page wide ${styles.strip}`}>
        {!hasCockpit && <h1>{words('coordinate.title')}</h1>}
        <ControlPanel key={overlay} overlay={overlay} isStrip />
        {!hasCockpit && <Empty>{words(matchGuid === null ? 'coordinate.no-match' : 'coordinate.no-cockpit')}</Empty>}
      </div>
      {hasCockpit && <Outlet />}
    </>
  )
}
