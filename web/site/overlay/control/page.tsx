import { useParams } from '@tanstack/react-router'
import { FaultOf } from '../../chrome/faults.tsx'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { TournamentContext } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Pending } from '../../parts/loaded.tsx'
import { SignedIn } from '../../parts/signed-in.tsx'
import styles from './control.module.css'
import { ControlPanel } from './panel.tsx'

/** The control of an overlay: what is on air, and all that changes it, for a second screen or a tablet. (OV15) */
export function ControlPage() {
  return (
    <SignedIn title={words('control.title')} why={words('control.sign-in')}>
      {() => <Found />}
    </SignedIn>
  )
}

/** The address names the overlay alone; the service knows its tournament. */
function Found() {
  const overlay = useParams({ strict: false }).overlay as string
  const { data, error, refetch } = useRead(address('/overlays/{overlay}', { overlay }))
  if (data === undefined && error !== null) return <FaultOf error={error} again={() => void refetch()} />
  if (data === undefined) return <Pending title={words('control.title')} />
  return (
    <TournamentContext value={data.tournament.id}>
      <div className={`page wide ${styles.page}`}>
        <ControlPanel key={data.guid} overlay={data.guid} />
      </div>
    </TournamentContext>
  )
}
