import type { StreamHealth, StreamSettings } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { decimalOf } from './numbers.ts'
import { State } from './state.tsx'
import { Instant } from './time.tsx'

interface Props {
  readonly of: StreamHealth
  /** What a stream needs at least, where that is known. */
  readonly minimum?: StreamSettings['encoders'][number]['minimum'] | undefined
}

/** What a media server says of a stream. */
export function StreamHealthOf({ of, minimum }: Props) {
  const { at, width, height, fps, videoKbps, audioKbps } = of
  const isSmall = minimum !== undefined && height !== null && height < minimum.height
  // It is counted between two moments, so it is never quite the rate that is sent.
  const isSlow = minimum !== undefined && fps !== null && fps < minimum.fps * 0.9
  const told = [
    width !== null && height !== null && words('streaming.size', { width, height }),
    fps !== null && words('streaming.rate', { fps: decimalOf(Math.round(fps)) }),
    videoKbps !== null && words('streaming.video', { kbps: decimalOf(Math.round(videoKbps)) }),
    audioKbps !== null && words('streaming.audio', { kbps: decimalOf(Math.round(audioKbps)) }),
  ].filter((each) => each !== false)
  return (
    <p>
      {minimum !== undefined && (isSmall || isSlow) && (
        <>
          <State shape="problem" tone="warning">
            {words(isSmall ? 'streaming.small' : 'streaming.slow', minimum)}
          </State>{' '}
        </>
      )}
      <span className="num">{told.join(', ')}</span>{' '}
      <span className="small muted">
        {words('streaming.told')} <Instant at={at} as="time" />
      </span>
    </p>
  )
}
