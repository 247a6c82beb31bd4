import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { OverlayControl, OverlayData } from '../../../../client/generated.ts'
import { epochOfLive, live, now } from '../../data/live.ts'
import { useTournamentId } from '../../data/tournament.ts'
import styles from './control.module.css'

/**
 * The page of the overlay itself, small. It gets what it shows from here, so that its address holds no token; its sound is
 * off. (OV15, OV16)
 */

const pictureAddress = '/overlay/preview?muted'
/** What the page in the frame says when it is ready: `previewReady` of its sources. */
const ready = 'overlay.ready'

interface Props {
  readonly overlay: string
  /** What is said of it to those who do not see it. */
  readonly label: string
  /** The published document. */
  readonly document: unknown
  readonly control: OverlayControl
  readonly data: OverlayData | undefined
}

export function Picture({ overlay, label, document, control, data }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  // Grows each time the page in the frame begins anew.
  const [opened, setOpened] = useState(0)
  useEffect(() => {
    const hear = ({ origin, source, data: told }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow && told === ready)
        setOpened((before) => before + 1)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  useTelling(frame, opened, 'document', document)
  useTelling(frame, opened, 'data', data)
  useTelling(frame, opened, 'control', control)
  useLiveValues(frame, opened, overlay)
  return <iframe ref={frame} className={styles.picture} src={pictureAddress} title={label} tabIndex={-1} />
}

type Frame = Readonly<React.RefObject<HTMLIFrameElement | null>>

function tell({ current }: Frame, member: string, value: unknown): void {
  current?.contentWindow?.postMessage({ aheadMs: now() - Date.now(), [member]: value }, location.origin)
}

function useTelling(frame: Frame, opened: number, member: string, value: unknown): void {
  useEffect(() => {
    if (opened > 0 && value !== undefined) tell(frame, member, value)
  }, [frame, opened, member, value])
}

/** Scores change several times a second: they go past this page. */
function useLiveValues(frame: Frame, opened: number, overlay: string): void {
  const tournament = useTournamentId()
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  useEffect(() => {
    if (opened === 0 || epoch === null) return
    return live()
      .live(`/tournaments/${tournament}/overlays/${overlay}/live`, { rate: 10 })
      .subscribe(({ value }) => tell(frame, 'live', value ?? {}))
  }, [frame, opened, epoch, tournament, overlay])
}
