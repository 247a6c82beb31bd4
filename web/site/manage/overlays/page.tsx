import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { NewOverlay } from './new-overlay.tsx'
import { OverlayLine } from './overlay-line.tsx'
import styles from './overlays.module.css'

/** The overlays of the tournament: what each shows now, how far it is published, and the addresses for broadcasting programs. */
export function ManageOverlays() {
  const tournament = useTournamentId()
  const may = useMay()
  const read = useRead(address('/tournaments/{tournament}/overlays', { tournament }), { live: true })
  const mayMake = may('overlays.create')
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('manage.overlays')}</h1>
          <p>{words('overlays.about')}</p>
        </div>
        {mayMake && <NewOverlay />}
      </div>
      <Loaded of={read} rows={6}>
        {(overlays) =>
          overlays.length === 0 ? (
            <Empty>{words(mayMake ? 'overlays.empty' : 'overlays.empty-for-others')}</Empty>
          ) : (
            <ul className={styles.overlays}>
              {overlays.map((overlay) => (
                <OverlayLine key={overlay.guid} overlay={overlay} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}
