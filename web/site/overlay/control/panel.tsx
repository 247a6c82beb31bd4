import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import type { Overlay, OverlayControl } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { stayConnected } from '../../data/live.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Connected } from '../../parts/connected.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { controlAddress, useActs, useNewest } from './acts.ts'
import { Casters } from './casters.tsx'
import { Clashed, Lost, ReadOnly } from './clashed.tsx'
import styles from './control.module.css'
import { Countdowns } from './countdowns.tsx'
import { Head } from './head.tsx'
import { MatchChoice } from './match-choice.tsx'
import { OnAir } from './on-air.tsx'
import { useOverlayRights } from './rights.ts'
import { Scenes } from './scenes.tsx'
import { type Shown, ShownContext, scenesOf } from './shown.ts'
import { SongCard, Sound } from './song-and-sound.tsx'
import { TextLine } from './text-line.tsx'

/** Few overlays have such fields. */
const OwnValues = lazy(() => import('./own-values.tsx').then((each) => ({ default: each.OwnValues })))

interface Props {
  /** GUID. */
  readonly overlay: string
  /** Above something else, in little room and without the heading of a page. */
  readonly isStrip?: boolean
}

export function ControlPanel({ overlay, isStrip = false }: Props) {
  const tournament = useTournamentId()
  const record = useRead(address('/tournaments/{tournament}/overlays/{overlay}', { tournament, overlay }), {
    live: true,
  })
  const control = useRead(controlAddress(tournament, overlay), { live: true })
  const both = record.data && control.data && { overlay: record.data, control: control.data }
  const refetch = () => Promise.all([record.refetch(), control.refetch()])
  const isFetching = record.isFetching || control.isFetching
  return (
    <Loaded
      of={{ ...control, data: both, error: record.error ?? control.error, refetch, isFetching }}
      rows={16}
      hasTitle
      title={isStrip ? undefined : words('control.title')}
    >
      {(loaded) => <Panel {...loaded} isStrip={isStrip} />}
    </Loaded>
  )
}

interface PanelProps {
  readonly overlay: Overlay
  readonly control: OverlayControl
  readonly isStrip: boolean
}

function Panel({ overlay, control: told, isStrip }: PanelProps) {
  const at = { tournament: useTournamentId(), overlay: overlay.guid }
  const control = useNewest(told)
  const published = useRead(
    overlay.published === null ? null : address('/tournaments/{tournament}/overlays/{overlay}/published', at),
    { live: true },
  ).data
  const data = useRead(address('/tournaments/{tournament}/overlays/{overlay}/data', at), { live: true }).data
  const acts = useActs(overlay.guid, control)
  useEffect(stayConnected, [])
  const { mayControl, isKnown } = useOverlayRights(overlay)
  const document = published?.document
  const scenes = useMemo(() => scenesOf(document), [document])
  const shown: Shown = { overlay, control, scenes, data, acts, mayControl }
  const place = useRef<HTMLDivElement>(null)
  return (
    <ShownContext value={shown}>
      <div ref={place} className={isStrip ? styles.strip : styles.panel}>
        <div className={styles.top}>
          <Head isStrip={isStrip} />
          <div className={styles.notices}>
            <Lost />
            <Clashed />
            {isKnown && !mayControl && <ReadOnly />}
          </div>
        </div>
        <OnAir document={document} isStrip={isStrip} />
        <Connected>
          <Scenes document={document} place={place} />
          {mayControl && (isStrip ? <StripSettings document={document} /> : <Settings document={document} />)}
        </Connected>
      </div>
    </ShownContext>
  )
}

interface OfDocument {
  /** The published one. */
  readonly document: unknown
}

/** What is changed often is in sight, the rest behind a word. */
function StripSettings({ document }: OfDocument) {
  return (
    <div className={styles.settings}>
      <MatchChoice />
      <details className={styles.more}>
        <summary>{words('control.more')}</summary>
        <div className={styles.others}>
          <SongCard />
          <Sound />
          <Casters />
          <TextLine />
          <Countdowns />
          <Suspense>
            <OwnValues document={document} />
          </Suspense>
        </div>
      </details>
    </div>
  )
}

function Settings({ document }: OfDocument) {
  return (
    <div className={styles.settings}>
      <MatchChoice />
      <SongCard />
      <Sound />
      <Casters />
      <TextLine />
      <Countdowns />
      <Suspense>
        <OwnValues document={document} />
      </Suspense>
    </div>
  )
}
