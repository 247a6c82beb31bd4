import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { TournamentStream } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import styles from './player.module.css'

/** Plays one stream: by WebRTC, else by HLS where the media server offers it, else in the player of the streaming site. */

interface Props {
  readonly stream: TournamentStream
  readonly name: string
  readonly onEnd: () => void
}

export function Player({ stream, name, onEnd }: Props) {
  const { live, play, fallback } = stream
  return (
    <div className={styles.player}>
      {live === true ? (
        <Picture play={play} name={name} />
      ) : (
        fallback !== null && (
          <iframe
            src={fallback.embedUrl}
            title={words('play.stream-of', { name })}
            allow="autoplay; fullscreen"
            referrerPolicy="origin"
            sandbox="allow-scripts allow-same-origin allow-popups"
          />
        )
      )}
      <button type="button" className="btn" onClick={onEnd}>
        {words('play.stop')}
      </button>
    </div>
  )
}

type State = 'opening' | 'playing' | 'failed'

type Play = TournamentStream['play']

/** A stream of our own, with controls to stop it and with what is known of its picture. */
export function LivePicture({
  play,
  name,
  onEnd,
  beside,
}: {
  readonly play: Play
  readonly name: string
  readonly onEnd: () => void
  readonly beside: (video: HTMLVideoElement) => ReactNode
}) {
  return (
    <div className={styles.player}>
      <Picture play={play} name={name} beside={beside} />
      <button type="button" className="btn" onClick={onEnd}>
        {words('play.stop')}
      </button>
    </div>
  )
}

function Picture({
  play: { whep, llhls, hls },
  name,
  beside,
}: {
  readonly play: Play
  readonly name: string
  readonly beside?: (video: HTMLVideoElement) => ReactNode
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<State>('opening')
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` opens the stream again
  useEffect(() => {
    const place = video.current
    if (place === null) return
    const ending = new AbortController()
    setState('opening')
    void open({ whep, llhls, hls }, place, () => !ending.signal.aborted && setState('failed'), ending.signal).then(
      (isOpen) => !ending.signal.aborted && setState(isOpen ? 'playing' : 'failed'),
    )
    return () => ending.abort()
  }, [whep, llhls, hls, attempt])
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: what players say live has no captions */}
      <video ref={video} controls playsInline aria-label={words('play.stream-of', { name })} />
      <p role="status" className={styles.message}>
        {state === 'opening' && words('play.opening')}
        {state === 'failed' && words('play.not-playing')}{' '}
        {state === 'failed' && (
          <button type="button" className="btn" onClick={() => setAttempt((before) => before + 1)}>
            {words('state.again')}
          </button>
        )}
      </p>
      {state === 'playing' && video.current !== null && beside?.(video.current)}
    </>
  )
}

/** Tries each way that there is, the one with the least delay first. */
async function open(
  { whep, llhls, hls }: Play,
  video: HTMLVideoElement,
  onLost: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const ways = [
    [whep, async () => (await import('../../overlay/play/whep.ts')).openWhep],
    [llhls, async () => (await import('../../overlay/play/hls.ts')).openLowLatencyHls],
    [hls, async () => (await import('../../overlay/play/hls.ts')).openHls],
  ] as const
  for (const [address, load] of ways) {
    if (address === null || signal.aborted) continue
    const isOpen = await load()
      .then((way) => way(address, video, onLost, signal))
      .then(
        () => true,
        () => false,
      )
    if (isOpen) return true
  }
  return false
}

const key = 'downbeat.watch'

/** Pages that were opened first on an address without players have a policy that forbids them. (W6) */
export function mayEmbed(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined || /^\/(t\/[^/]+\/(m\/|schedule)|u\/)/.test(new URL(entry.name).pathname)
}

/** Loads the page anew, with the policy of its own address, and opens the stream that the reader has chosen. */
export function reloadFor(user: string): void {
  sessionStorage.setItem(key, user)
  location.reload()
}

/** The stream that the reader chose before the page was loaded anew. */
export function askedFor(): string | null {
  const user = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return user
}
