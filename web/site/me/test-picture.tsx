import { lazy, Suspense, useEffect, useState } from 'react'
import type { StreamSettings } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { Blocks } from '../parts/loaded.tsx'
import { decimalOf } from '../parts/numbers.ts'
import { State } from '../parts/state.tsx'
import styles from './streaming.module.css'

/** What the reader sends, as it arrives at viewers: the picture, its size and its rate. */

/** The player comes when somebody asks for it. */
const LivePicture = lazy(() => import('../parts/player.tsx').then((parts) => ({ default: parts.LivePicture })))

export function TestPicture({ of, renew }: { readonly of: StreamSettings; readonly renew: () => Promise<unknown> }) {
  const { watch, viewToken, encoders } = of
  const [server, setServer] = useState<string | null>(null)
  const [isShown, setShown] = useState(false)
  const chosen = watch.find((each) => each.server.guid === server) ?? watch.find(isArriving) ?? watch[0]
  const minimum = encoders.find((each) => each.server.guid === chosen?.server.guid)?.minimum
  if (chosen === undefined || minimum === undefined) return null
  const { whep, llhls, hls } = chosen.play
  if (whep === null && llhls === null && hls === null) return <p className="muted">{words('streaming.no-picture')}</p>
  return (
    <div className={styles.test}>
      {watch.length > 1 && (
        <label className="field">
          <span>{words('streaming.test-server')}</span>
          <select
            className="in"
            value={chosen.server.guid}
            onChange={({ target }) => {
              setShown(false)
              setServer(target.value)
            }}
          >
            {watch.map((each) => (
              <option key={each.server.guid} value={each.server.guid}>
                {each.server.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isShown ? (
        <Suspense fallback={<Blocks rows={4} />}>
          <LivePicture
            key={chosen.server.guid}
            play={{ whep: seen(whep, viewToken), llhls: seen(llhls, viewToken), hls: seen(hls, viewToken) }}
            name={words('streaming.own-picture')}
            onEnd={() => setShown(false)}
            beside={(video) => <Health video={video} minimum={minimum} />}
          />
        </Suspense>
      ) : (
        <button type="button" className="btn" onClick={() => void renew().then(() => setShown(true))}>
          {words('streaming.see')}
        </button>
      )}
    </div>
  )
}

/** Whether something of the reader arrives there, as far as the service knows it. */
const isArriving = ({ live }: StreamSettings['watch'][number]): boolean => live !== null

/** A test is shown to those with a token alone. (S5) */
function seen(address: string | null, token: string): string | null {
  if (address === null) return null
  const url = new URL(address)
  url.searchParams.set('view', token)
  return url.href
}

interface Measured {
  readonly width: number
  readonly height: number
  /** Pictures a second; null before two measurements. */
  readonly fps: number | null
  /** The share of pictures that came too late to be shown. */
  readonly lost: number
}

const everyMs = 2_000

function useMeasured(video: HTMLVideoElement): Measured | null {
  const [measured, setMeasured] = useState<Measured | null>(null)
  useEffect(() => {
    let before: { readonly at: number; readonly frames: number; readonly dropped: number } | null = null
    const measure = () => {
      const { totalVideoFrames: frames, droppedVideoFrames: dropped } = video.getVideoPlaybackQuality()
      const at = performance.now()
      const shown = before === null ? 0 : frames - before.frames
      const fps = before === null ? null : (shown * 1_000) / (at - before.at)
      const lost = before === null || shown === 0 ? 0 : (dropped - before.dropped) / shown
      setMeasured({ width: video.videoWidth, height: video.videoHeight, fps, lost })
      before = { at, frames, dropped }
    }
    measure()
    const timer = setInterval(measure, everyMs)
    return () => clearInterval(timer)
  }, [video])
  return measured
}

function Health({
  video,
  minimum,
}: {
  readonly video: HTMLVideoElement
  readonly minimum: { readonly height: number; readonly fps: number }
}) {
  const measured = useMeasured(video)
  if (measured === null || measured.fps === null) return <p className="muted">{words('streaming.measuring')}</p>
  const { width, height, fps, lost } = measured
  const isSmall = height < minimum.height
  // Measured between two moments, so it is never quite the rate that is sent.
  const isSlow = fps < minimum.fps * 0.9
  const stands = fps === 0
  return (
    <p role="status">
      {stands ? (
        <State shape="problem" tone="alert">
          {words('streaming.stands')}
        </State>
      ) : isSmall || isSlow ? (
        <State shape="problem" tone="warning">
          {words(isSmall ? 'streaming.small' : 'streaming.slow', minimum)}
        </State>
      ) : (
        <State shape="done">{words('streaming.good')}</State>
      )}{' '}
      <span className="num">{words('streaming.measured', { width, height, fps: decimalOf(Math.round(fps)) })}</span>
      {lost > 0.05 && <span className="muted"> {words('streaming.lost')}</span>}
    </p>
  )
}
