import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { AlsoOpen } from '../../parts/also-open.tsx'
import { useIsLost } from '../../parts/connected.tsx'
import { Guarded } from '../../parts/loaded.tsx'
import { State } from '../../parts/state.tsx'
import styles from './control.module.css'
import { useOverlayRights } from './rights.ts'
import { useShown } from './shown.ts'

/** Which overlay it is, whether it shows anything, who else is here, and the pages around it. */
export function Head({ isStrip }: { readonly isStrip: boolean }) {
  const { overlay } = useShown()
  const tournament = useTournamentId()
  const { mayEdit } = useOverlayRights(overlay)
  const mayCoordinate = useMay()('flowSessions.override')
  if (isStrip)
    return (
      <header className={styles.head}>
        <h2>
          <bdi>{overlay.name}</bdi>
        </h2>
        <OnAirState />
        <a className={`btn ${styles.pushed}`} href={`/overlay/control/${overlay.guid}`}>
          {words('control.alone')}
        </a>
      </header>
    )
  return (
    <header className={styles.head}>
      <h1>
        <bdi>{overlay.name}</bdi>
      </h1>
      <OnAirState />
      <Guarded>
        <AlsoOpen tournament={tournament} page="control" record={overlay.guid} className={styles.pushed} />
      </Guarded>
      <div className="btns">
        {mayCoordinate && (
          <a className="btn" href={`/coordinate/${tournament}/${overlay.guid}`}>
            {words('control.coordinate')}
          </a>
        )}
        {mayEdit && (
          <a className="btn" href={`/overlay/manage/${tournament}/${overlay.guid}`}>
            {words('control.edit')}
          </a>
        )}
      </div>
    </header>
  )
}

function OnAirState() {
  const { overlay, control } = useShown()
  const isLost = useIsLost()
  if (overlay.published === null)
    return (
      <State shape="off" tone="quiet">
        {words('control.unpublished')}
      </State>
    )
  if (isLost)
    return (
      <State shape="problem" tone="warning">
        {words('control.last-known')}
      </State>
    )
  if (control.blank)
    return (
      <State shape="off" tone="quiet">
        {words('control.blanked')}
      </State>
    )
  return (
    <State shape="running" tone="run">
      {words('control.on-air')}
    </State>
  )
}
