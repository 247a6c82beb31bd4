import type { Stop } from './whep.ts'

/** How long a player of another site may take to report, in milliseconds. */
const patienceMs = 10_000

/**
 * Plays a stream in the player of the streaming site. A frame has also loaded when it shows the browser's error page, so
 * it counts as playing only once its player has reported that it plays. Until then it stays covered. (OV17, OV19)
 */
export function openEmbed(
  parent: HTMLElement,
  address: string,
  onLost: () => void,
  signal: AbortSignal,
): Promise<Stop> {
  const frame = document.createElement('iframe')
  frame.allow = 'autoplay'
  frame.referrerPolicy = 'origin'
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
  frame.src = address
  const { origin } = new URL(address)
  return new Promise((resolve, reject) => {
    let isOpen = false
    const stop = () => {
      clearTimeout(timer)
      removeEventListener('message', hear)
      frame.remove()
    }
    const fail = (why: string) => {
      stop()
      if (isOpen) onLost()
      else reject(new Error(why))
    }
    const timer = setTimeout(() => fail('the player did not report'), patienceMs)
    const hear = ({ source, origin: from, data }: MessageEvent) => {
      if (source !== frame.contentWindow || from !== origin) return
      const event = eventOf(data)
      if (event === 'offline') return fail('the channel is offline')
      if (event !== 'playing') return
      clearTimeout(timer)
      isOpen = true
      resolve(stop)
    }
    addEventListener('message', hear)
    signal.addEventListener('abort', () => fail('the stream is not needed any more'), { once: true })
    parent.replaceChildren(frame)
  })
}

/** The event that a message of the site's player reports. */
function eventOf(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('eventName' in data)) return null
  const { eventName } = data
  if (eventName !== 'UPDATE_STATE' || !('params' in data)) return eventName
  const { params } = data
  return typeof params === 'object' && params !== null && 'playback' in params && params.playback === 'Playing'
    ? 'playing'
    : null
}
